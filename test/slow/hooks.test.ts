import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import { ECHO_TOOL } from "../support/echo-tool.ts";
import { project } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

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
    const at = project({ ".toolwright/tools/echo.ts": ECHO_TOOL, ".pi/extensions/hooks.ts": PI_HOOKS });
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

  it("an input that a hook changed is validated", async () => {
    expect(await say("spoil")).toEqual(["invalid_input", expect.stringContaining("- /text: "), undefined]);
  });

  it("a result that a hook changed is truncated", async () => {
    expect(await say("long")).toEqual([
      "ok",
      expect.stringMatching(/\n\[truncated: 1000 lines omitted; full output: .*\]$/),
      { length: 4 },
    ]);
  });
});

describe("[A8] [P1] [P5] hooks that fail, and results they leave alone", () => {
  const GUARD = (body: string): string => `export default function (pi) { ${body} }`;
  const BLOCKS = 'pi.on("tool_call", (e) => e.input.text === "no" ? { block: true, reason: "No." } : undefined);';
  const withHooks = (body: string, more: Record<string, string> = {}) =>
    open(project({ ".toolwright/tools/echo.ts": ECHO_TOOL, ".pi/extensions/guard.ts": GUARD(body), ...more }));

  it("a broken tool beside a hook affects neither the hook nor other calls", async () => {
    const { toolbox, say } = await withHooks(`${BLOCKS} pi.registerTool({ name: "bad name", execute() {} });`);
    expect(toolbox.problems()).toMatchObject([{ code: "bad_name" }]);
    expect(await say("echo", { text: "yes" })).toBe("yes");
    expect(await say("echo", { text: "no" })).toBe('"echo" was not allowed to run. No.');
  });

  it("a hook that an edit breaks keeps its last working version", async () => {
    const { toolbox, at, say } = await withHooks(BLOCKS);
    expect(await say("echo", { text: "no" })).toBe('"echo" was not allowed to run. No.');
    writeFileSync(join(at.project, ".pi/extensions/guard.ts"), "export default function (pi) { oops oops");
    await toolbox.reload();
    expect(toolbox.problems()).toMatchObject([{ code: "syntax" }]);
    expect(await say("echo", { text: "no" })).toBe('"echo" was not allowed to run. No.');
  });

  it("a truncated result is not truncated again", async () => {
    const { toolbox } = await withHooks(BLOCKS);
    const result = await toolbox.call({ name: "echo", input: { text: "x\n".repeat(3000) } }).result;
    const [, file = ""] = /\[truncated: 1000 lines omitted; full output: (.*)\]$/.exec(outputOf(result)) ?? [];
    expect(readFileSync(file, "utf8")).toBe("x\n".repeat(3000));
    expect(result.notes.truncated).toMatchObject({ omittedLines: 1000, fullOutput: file });
  });

  it("a call that crashed keeps its partial output", async () => {
    const crashes = `export default {
      description: "Crashes.",
      async execute(_, context) {
        context.metadata({ metadata: { output: "half" } });
        await new Promise((resolve) => setTimeout(resolve, 200));
        process.exit(3);
      },
    };`;
    const { toolbox } = await withHooks(BLOCKS, { ".toolwright/tools/crashes.ts": crashes });
    const result = await toolbox.call({ name: "crashes" }).result;
    expect(result).toMatchObject({ error: { code: "crashed" }, content: [{ type: "text", text: "half" }] });
  });

  it("data of a hook has the usual size limit", async () => {
    const { toolbox } = await withHooks('pi.on("tool_result", () => ({ details: { x: "y".repeat(1e6) } }));');
    const result = await toolbox.call({ name: "echo", input: { text: "x" } }).result;
    expect(result).toMatchObject({ ok: true, data: { truncated: { totalBytes: 1_000_008 } } });
  });

  it("a result is not shown if a hook died on it", async () => {
    const { at, say } = await withHooks('pi.on("tool_result", () => process.exit(5));');
    expect(await say("echo", { text: "secret" })).toBe(
      `"echo" has run, but the hook in ${join(at.project, ".pi/extensions/guard.ts")} failed on its result, which is therefore not shown: a tool called process.exit(5). Try again only if the tool is safe to repeat.`,
    );
  });

  it("[P4] the time of all hooks counts towards the timeout of the call", async () => {
    const waits = 'pi.on("tool_call", () => new Promise((resolve) => setTimeout(resolve, 700)));';
    const { toolbox, say } = await withHooks(waits, { ".pi/extensions/second.ts": GUARD(waits) });
    expect(await say("echo", { text: "x" })).toBe("x");
    const result = await toolbox.call({ name: "echo", input: { text: "x" }, timeoutMs: 1_000 }).result;
    expect(result).toMatchObject({ ok: false, error: { code: "timeout" } });
  });

  it("hooks that are registered at session start work, also beside other exports and in a new process", async () => {
    const source = `
      export const other = { name: "other", description: "Other.", parameters: { type: "object", properties: {} }, execute: async () => process.exit(3) };
      export default function (pi) {
        pi.on("session_start", (event) => { if (event.reason !== "startup") { ${BLOCKS} } });
        pi.registerTool({ ...other, name: "own" });
      }`;
    const { toolbox } = await open(
      project({ ".toolwright/tools/echo.ts": ECHO_TOOL, ".pi/extensions/late.ts": source }),
    );
    await toolbox.sessions.start("s");
    const say = async (name: string): Promise<string> =>
      outputOf(await toolbox.call({ name, input: { text: "no" }, sessionID: "s" }).result);
    expect(await say("echo")).toBe('"echo" was not allowed to run. No.');
    await toolbox.call({ name: "other", sessionID: "s" }).result;
    expect(await say("echo")).toBe('"echo" was not allowed to run. No.');
  });
});

describe("[A8] [P1] hooks of an OpenCode plugin", () => {
  it.each([
    ["plain", "plain"],
    ["forbidden", '"echo" was not allowed to run. Not in echo.'],
    ["change", "changed"],
    ["patch", "patched echo"],
  ])("%s", async (text, expected) => {
    const { say } = await open(project({ ".toolwright/tools/echo.ts": ECHO_TOOL, ".opencode/tool/guard.ts": PLUGIN }));
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

  it("is a no-op unless one is attached", async () => {
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

  it("[P4] pauses the clock of a call while a dialog is open", async () => {
    const { toolbox } = await open(project({ ".omp/tools/asking.ts": ASKING }));
    toolbox.setUIContext({
      select: () => new Promise((resolve) => setTimeout(resolve, 1_500, "a")),
      confirm: async () => true,
    });
    const result = await toolbox.call({ name: "asking", timeoutMs: 1_000 }).result;
    expect(outputOf(result)).toBe('{"hasUI":true,"picked":"a","sure":true}');
  });

  it("[P4] pauses it for the dialog of a hook, but not for notifications", async () => {
    const gate = `export default function (pi) {
      pi.on("tool_call", async (event, ctx) => {
        if (event.toolName === "echo" && !(await ctx.ui.confirm("Sure?", ""))) return { block: true };
      });
      pi.registerTool({
        name: "shows", description: "Shows.", parameters: { type: "object", properties: {} },
        execute: (id, params, signal, onUpdate, ctx) => {
          ctx.ui.notify("working");
          return new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      });
    }`;
    const { toolbox } = await open(project({ ".toolwright/tools/echo.ts": ECHO_TOOL, ".pi/extensions/gate.ts": gate }));
    toolbox.setUIContext({
      confirm: () => new Promise((resolve) => setTimeout(resolve, 1_500, true)),
      notify: () => new Promise(() => {}),
    });
    const asked = await toolbox.call({ name: "echo", input: { text: "sure" }, timeoutMs: 1_000 }).result;
    expect(outputOf(asked)).toBe("sure");
    const shown = await toolbox.call({ name: "shows", timeoutMs: 1_000 }).result;
    expect(shown).toMatchObject({ ok: false, error: { code: "timeout" } });
  });

  it("[P4] withdraws a dialog whose call is cancelled", async () => {
    const { toolbox } = await open(project({ ".omp/tools/asking.ts": ASKING }));
    const withdrawn = Promise.withResolvers<string>();
    toolbox.setUIContext({
      select: (_title: string, _options: string[], { signal }: { signal: AbortSignal }) => {
        signal.addEventListener("abort", () => withdrawn.resolve("withdrawn"));
        setTimeout(() => run.abort(), 100);
        return new Promise(() => {});
      },
    });
    const run = toolbox.call({ name: "asking" });
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(await withdrawn.promise).toBe("withdrawn");
  });

  it("that throws counts as not answered", async () => {
    const { toolbox, say } = await open(project({ ".omp/tools/asking.ts": ASKING }));
    toolbox.setUIContext({
      select: () => {
        throw new Error("no screen");
      },
    });
    expect(await say("asking")).toBe('{"hasUI":true,"picked":null,"sure":false}');
  });
});
