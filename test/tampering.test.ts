import { describe, expect, it } from "vitest";
import { sandbox } from "./support/fixture.ts";
import { BUN_FOLDER, installed } from "./support/installed.ts";
import { answering, open } from "./support/toolbox.ts";

/** A tool that writes to the channel of its own process, bytes as an expression gives them. */
const writing = (bytes: string): string => `
import { writeSync } from "node:fs";
import { serialize } from "node:v8";
const framed = (value) => {
  const body = serialize(value);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
};
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
    ["a length and rubbish", "Buffer.from([0, 0, 0, 4, 1, 2, 3, 4])"],
    ["nothing at all, framed", "Buffer.from([0, 0, 0, 0])"],
    ["no message", "framed(null)"],
    ["a message without its fields", 'framed({ type: "changed" })'],
    ["an answer without a result", 'framed({ type: "loaded", manifests: [null] })'],
    [
      "tools that would be remembered",
      'framed({ type: "changed", manifest: { file: import.meta.filename, tools: [{}] } })',
    ],
    ["imports that are none", 'framed({ type: "depends", file: import.meta.filename, imports: 5 })'],
    ["a call of the user interface without a method", 'framed({ type: "ui", ui: 1 })'],
    [
      "an act that is none",
      'framed({ type: "act", sessionID: "default", action: { type: "active-tools", names: 5 } })',
    ],
    ["a result without content", 'framed({ type: "result", id: 1, result: { ok: true } })'],
  ])("%s", async (_, bytes) => {
    const { toolbox, say } = await open({ "tampers.ts": writing(bytes), "other.ts": answering('"fine"') });
    expect(await toolbox.call({ name: "tampers" }).result).toMatchObject(CRASHED);
    expect(await say("other")).toBe("fine");
    expect(await toolbox.reload()).toEqual({ tools: 2, problems: [] });
    expect(toolbox.list().map(({ name }) => name)).toEqual(["other", "tampers"]);
  });

  it("a length that never comes: the call ends with its time, and others go on", async () => {
    const { toolbox, say } = await open({ "tampers.ts": writing('"{ not\\n"'), "other.ts": answering('"fine"') });
    const result = await toolbox.call({ name: "tampers", timeoutMs: 500 }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
    expect(await say("other")).toBe("fine");
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
