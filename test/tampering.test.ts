import { describe, expect, it } from "vitest";
import { sandbox } from "./support/fixture.ts";
import { BUN_FOLDER, installed } from "./support/installed.ts";
import { answering, open } from "./support/toolbox.ts";

/** A tool that writes to the channel of its own process, bytes as an expression gives them. */
const writing = (bytes: string): string => `
import { writeSync } from "node:fs";
const line = (value) => JSON.stringify(value) + "\\n";
export default {
  description: "Tampers.",
  async execute() {
    writeSync(3, ${bytes});
    await new Promise((resolve) => setTimeout(resolve, 200));
    return "done";
  },
};
`;

const CRASHED = {
  ok: false,
  error: { code: "crashed", message: expect.stringContaining("what it sent could not be read") },
};

describe("[P5] a tool that writes to the channel of its own process ends that process, not ours", () => {
  it.each([
    ["bytes that are no text", "Buffer.from([0, 255, 254, 10])"],
    ["a line that is not JSON", '"{ not\\n"'],
    ["thousands of them", '"x\\n".repeat(30_000)'],
    ["a line without an end, into which the result runs", '"{ not"'],
    ["no message", "line(null)"],
    ["a message without its fields", 'line({ type: "changed" })'],
    ["an answer without a result", 'line({ type: "loaded", manifests: [null] })'],
    [
      "tools that would be remembered",
      'line({ type: "changed", manifest: { file: import.meta.filename, tools: [{}] } })',
    ],
    ["imports that are none", 'line({ type: "depends", file: import.meta.filename, imports: 5 })'],
    ["a call of the user interface without a method", 'line({ type: "ui", ui: 1 })'],
    ["an act that is none", 'line({ type: "act", sessionID: "default", action: { type: "active-tools", names: 5 } })'],
    ["a result without content", 'line({ type: "result", id: 1, result: { ok: true } })'],
  ])("%s", async (_, bytes) => {
    const { toolbox, say } = await open({ "tampers.ts": writing(bytes), "other.ts": answering('"fine"') });
    expect(await toolbox.call({ name: "tampers" }).result).toMatchObject(CRASHED);
    expect(await say("other")).toBe("fine");
    expect(await toolbox.reload()).toEqual({ tools: 2, problems: [] });
    expect(toolbox.list().map(({ name }) => name)).toEqual(["other", "tampers"]);
  });
});

const missing = await installed("bun");

describe.skipIf(missing)(`[P5] the same in Bun${missing ? ` (${missing})` : ""}`, () => {
  it.each(['"{ not json\\n"', '"null\\n"'])("%s", async (bytes) => {
    const at = sandbox({
      "tampers.ts": writing(bytes).replace("writeSync(3", "Bun.gc(false); writeSync(3"),
      "other.ts": answering("Bun.version.slice(0, 2)"),
    });
    const env = { ...at.env, PATH: `${BUN_FOLDER}:${at.env.PATH}` };
    const { toolbox, say } = await open({ ...at, env });
    expect(await toolbox.call({ name: "tampers" }).result).toMatchObject(CRASHED);
    expect(await say("other")).toBe("1.");
  });
});
