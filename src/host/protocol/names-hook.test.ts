import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mentionsHook } from "./names-hook.ts";

function mentionIn(
  files: Record<string, string>,
  prepare: (folder: string) => void = () => {},
): ReturnType<typeof mentionsHook> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  prepare(folder);
  return mentionsHook(join(folder, "main.ts"));
}

describe("[P1] whether a text names a hook", () => {
  it.each([
    ['pi.on("tool_call", f)', "registers"],
    ["pi\n  .on(\n    'tool_result', f)", "registers"],
    ["pi.on<Event>(`tool_call`, f)", "registers"],
    ['{ "tool.execute.before": f }', "registers"],
    ['["tool.execute." + when]', "registers"],
    ['ctx.tool.hook("execute.after", f)', "registers"],
    ["hooks: { onPreToolUse: f }", "registers"],
    ["hooks: { onPostToolUseFailure }", "registers"],
    ['pi.on?.("tool_call", f)', "registers"],
    ['const event = "tool_call"; pi.on(event, f)', "registers"],
    ['amp.on("tool.call", f)', "registers"],
    ["amp.on(\n'tool.result', f)", "registers"],
    ["const event = 'tool.call'; amp.on(event, f)", "registers"],
    ['span("tool.call")', "names"],
    ["await tool.call(input)", undefined],
    ['const name = "tool_call";', "names"],
    ['const name = "tool_call"; socket.on("data", f)', "names"],
    ['"command.execute.before": f', undefined],
    ['type: "tool_result"', "names"],
    ['api.on("before_tool_call", f)', "registers"],
    ["api.registerHook(['after_tool_call'], f)", "registers"],
    ["api.registerTrustedToolPolicy({ evaluate })", "registers"],
    ["tool_calls, tool_call_id, before_tool_calls, tool_results", undefined],
    ["export const execute = { before: 1 };", undefined],
    ["", undefined],
  ] as const)("%j: %s", (text, expected) => {
    expect(mentionIn({ "main.ts": text })).toBe(expected);
  });

  it.each([
    ["export * from './lib/hook.ts'", "lib/hook.ts"],
    ["import './lib/hook.js'", "lib/hook.ts"],
    ["import hook from './lib'", "lib/index.ts"],
    ["const hook = require('./hook')", "hook.cjs"],
    ["await import(`./hook.mjs`)", "hook.mjs"],
    ["import { a,\n b } from\n './here/hook'", "here/hook.mts"],
    ["import hook from /* the hook */ './hook.ts'", "hook.ts"],
    ["await import(/* @vite-ignore */ './hook.ts')", "hook.ts"],
    ["await import(new URL('./hook.ts', import.meta.url).href)", "hook.ts"],
    ["import './my%20hook.ts?fresh=1'", "my hook.ts"],
    ["readFileSync(join(import.meta.dirname, './events.json'))", "events.json"],
    ["require('./lib/')", "lib/index.cjs"],
    ["readFileSync(new URL('./events.yaml', import.meta.url))", "events.yaml"],
    ["readFileSync(join(import.meta.dirname, './events.toml'))", "events.toml"],
  ])("%s", (text, path) => {
    expect(mentionIn({ "main.ts": text, [path]: 'import "./main.ts"; pi.on("tool_call", f)' })).toBe("registers");
    expect(mentionIn({ "main.ts": text.replace("./", "pkg/"), [path]: 'pi.on("tool_call", f)' })).toBeUndefined();
  });

  it("follows the main file of a folder, and events whose name is in another file", () => {
    const main = { "main.ts": "require('./lib')", "lib/package.json": '{ "main": "src/hook.cjs" }' };
    expect(mentionIn({ ...main, "lib/src/hook.cjs": 'pi.on("tool_call", f)' })).toBe("registers");
    const events = { "events.json": '{ "before": "tool_call" }' };
    expect(mentionIn({ "main.ts": 'import events from "./events.json"; pi.on(events.before, f)', ...events })).toBe(
      "registers",
    );
  });

  it("a file with more imports than are read counts as one that names a hook", () => {
    const files = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, index) => [`lib/${index}.ts`, index === 0 ? 'pi.on("tool_call", f)' : ""]);
    const main = (count: number): string =>
      files(count)
        .map(([path]) => `import "./${path}";`)
        .join("\n");
    expect(mentionIn({ ...Object.fromEntries(files(600)), "main.ts": main(600) })).toBe("registers");
    const empty = Object.fromEntries(files(400).map(([path]) => [path, ""]));
    expect(mentionIn({ ...empty, "main.ts": `${main(400)}\n${'import "./missing.ts";'.repeat(200)}` })).toBeUndefined();
  });

  it("opens no pipe, and reads no document that explains hooks", () => {
    const text = 'readFileSync("./hooks.md"); import "./pipe.ts"; cd("../..");';
    const files = { "main.ts": text, "hooks.md": 'pi.on("tool_call", f)' };
    expect(mentionIn(files, (folder) => execFileSync("mkfifo", [join(folder, "pipe.ts")]))).toBeUndefined();
  });

  it("a file that does not exist names none", () => expect(mentionIn({})).toBeUndefined());

  it("takes no time that matters for many spaces", () => {
    expect(mentionIn({ "main.ts": `import${" ".repeat(300_000)}` })).toBeUndefined();
  });
});
