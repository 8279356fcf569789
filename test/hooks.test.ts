import { describe, expect, it } from "vitest";
import { outputOf } from "../src/core/result.ts";
import { project } from "./support/fixture.ts";
import { open } from "./support/toolbox.ts";

const ECHO = `
import { tool } from "toolwright";
export default tool({
  description: "Gives back what it is given.",
  args: { text: tool.schema.string() },
  execute: ({ text }) => {
    if (text === "fail") throw new Error("failed as asked");
    return { output: text, metadata: { length: text.length } };
  },
});
`;

const PI_HOOKS = `
export default function (pi) {
  pi.on("tool_call", async (event) => {
    if (event.input.text === "forbidden") return { block: true, reason: "That word is not allowed." };
    if (event.input.text === "change") event.input.text = "changed";
    if (event.input.text === "throw") throw new Error("the hook broke");
    if (event.input.text === "spoil") event.input.text = 5;
  });
  pi.on("tool_result", async (event) => {
    if (event.isError) return { content: [{ type: "text", text: "softened: " + event.content[0].text }], isError: false };
    if (event.content[0].text === "patch") return { content: [{ type: "text", text: "patched " + event.toolName }], details: { patched: true } };
    if (event.content[0].text === "long") return { content: [{ type: "text", text: "x\\n".repeat(3000) }] };
  });
}
`;

const PLUGIN = `
import type { Plugin } from "@opencode-ai/plugin";
export const Guard: Plugin = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (output.args.text === "forbidden") throw new Error("Not in " + input.tool + ".");
    if (output.args.text === "change") output.args.text = "changed";
  },
  "tool.execute.after": async (input, output) => {
    if (output.output === "patch") output.output = "patched " + input.tool;
  },
});
`;

describe("[A8] [P1] hooks of a pi extension, for the calls of every tool", () => {
  const say = async (text: unknown): Promise<unknown> => {
    const at = project({ ".toolwright/tools/echo.ts": ECHO, ".pi/extensions/hooks.ts": PI_HOOKS });
    const { toolbox } = await open(at);
    const result = await toolbox.call({ name: "echo", input: { text } }).result;
    return [result.ok ? "ok" : result.error.code, outputOf(result), result.data];
  };

  it.each([
    ["plain", ["ok", "plain", { length: 5 }]],
    ["forbidden", ["denied", '"echo" was not allowed to run. That word is not allowed.', undefined]],
    ["change", ["ok", "changed", { length: 7 }]],
    ["throw", ["denied", expect.stringContaining("the hook broke"), undefined]],
    ["patch", ["ok", "patched echo", { patched: true }]],
    ["fail", ["ok", "softened: failed as asked", undefined]],
  ])("%s", async (text, expected) => {
    expect(await say(text)).toEqual(expected);
  });

  it("what a hook makes of an input is checked like any other", async () => {
    expect(await say("spoil")).toEqual(["invalid_input", expect.stringContaining("- /text: "), undefined]);
  });

  it("what a hook makes of a result is cut like any other", async () => {
    expect(await say("long")).toEqual([
      "ok",
      expect.stringMatching(/\n\[truncated: 1000 lines omitted; full output: .*\]$/),
      { length: 4 },
    ]);
  });
});

describe("[A8] [P1] hooks of an OpenCode plugin", () => {
  it.each([
    ["plain", "plain"],
    ["forbidden", '"echo" was not allowed to run. Not in echo.'],
    ["change", "changed"],
    ["patch", "patched echo"],
  ])("%s", async (text, expected) => {
    const { say } = await open(project({ ".toolwright/tools/echo.ts": ECHO, ".opencode/tool/guard.ts": PLUGIN }));
    expect(await say("echo", { text })).toBe(expected);
  });
});

describe("[A5] [A12] the user interface", () => {
  const ASKING = `
export default (pi) => ({
  name: "asking",
  label: "Asking",
  description: "Asks the user.",
  parameters: pi.typebox.Type.Object({}),
  async execute() {
    pi.ui.notify("working", "info");
    const picked = await pi.ui.select("Which?", ["a", "b"]);
    const sure = await pi.ui.confirm("Sure?", "Really?");
    return { content: [{ type: "text", text: JSON.stringify({ hasUI: pi.hasUI, picked: picked ?? null, sure }) }] };
  },
});
`;

  it("is a no-op until one is attached, then real, and again nothing once it is taken away", async () => {
    const { toolbox, say } = await open(project({ ".omp/tools/asking.ts": ASKING }));
    expect(await say("asking")).toBe('{"hasUI":false,"picked":null,"sure":false}');
    const notes: unknown[] = [];
    toolbox.setUIContext({
      select: async (_title: string, options: string[]) => options[1],
      confirm: async () => true,
      notify: (...args: unknown[]) => void notes.push(args),
    });
    expect(await say("asking")).toBe('{"hasUI":true,"picked":"b","sure":true}');
    expect(notes).toEqual([["working", "info"]]);
    toolbox.setUIContext(undefined);
    expect(await say("asking")).toBe('{"hasUI":false,"picked":null,"sure":false}');
  });

  it("[P4] stops the clock of a call while a dialog is open", async () => {
    const { toolbox } = await open(project({ ".omp/tools/asking.ts": ASKING }));
    toolbox.setUIContext({
      select: () => new Promise((resolve) => setTimeout(resolve, 1_500, "a")),
      confirm: async () => true,
    });
    const result = await toolbox.call({ name: "asking", timeoutMs: 1_000 }).result;
    expect(outputOf(result)).toBe('{"hasUI":true,"picked":"a","sure":true}');
  });

  it("that throws is one that nobody answered", async () => {
    const { toolbox, say } = await open(project({ ".omp/tools/asking.ts": ASKING }));
    toolbox.setUIContext({
      select: () => {
        throw new Error("no screen");
      },
    });
    expect(await say("asking")).toBe('{"hasUI":true,"picked":null,"sure":false}');
  });
});
