import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { InnerResult } from "../../core/tool.ts";
import { type CallingTool, whileCalling } from "./calling-tool.ts";
import * as pi from "./pi-builtin-tools.ts";
import type { PiResult, PiTool } from "./pi-tool.ts";

type Called = readonly [tool: string, input: unknown];

/** Executes a tool of pi in a call whose built-in tools return `result`. */
async function execute(
  tool: PiTool,
  params: object,
  result: InnerResult | string,
  directory = "/p",
): Promise<{ called: Called[]; said: PiResult | string }> {
  const called: Called[] = [];
  const call: CallingTool = {
    directory,
    callBuiltin: async (name, input) => {
      called.push([name, input]);
      return typeof result === "string" ? { ok: true, content: [{ type: "text", text: result }] } : result;
    },
  };
  const said = await whileCalling(call, () => tool.execute("c1", params as never)).catch(
    (error: Error) => error.message,
  );
  return { called, said };
}

const textOf = ({ said }: { said: PiResult | string }): unknown => (typeof said === "string" ? said : said.content);
const ok = (text: string, data: object = {}): InnerResult => ({ ok: true, content: [{ type: "text", text }], data });
const text = (value: string): object[] => [{ type: "text", text: value }];

describe("[A8] tools of pi call built-in tools with their arguments", () => {
  const cases: [string, PiTool, object, Called][] = [
    ["a command", pi.createBashTool(process.cwd()), { command: "ls" }, ["bash", { command: "ls", description: "ls" }]],
    [
      "seconds",
      pi.createBashTool(),
      { command: "ls", timeout: 1.5 },
      ["bash", { command: "ls", description: "ls", timeout: 1_500 }],
    ],
    [
      "another folder",
      pi.createBashTool("/q"),
      { command: "ls" },
      ["bash", { command: "ls", description: "ls", workdir: "/q" }],
    ],
    [
      "a prefix, a shell and a spawn hook",
      pi.createBashTool(undefined, {
        commandPrefix: "set -e",
        shellPath: "/bin/zsh",
        spawnHook: ({ command, cwd, env }) => ({ command: `${command} -l`, cwd, env: { ...env, A_B: "it's" } }),
      }),
      { command: "ls" },
      [
        "bash",
        { command: `'/bin/zsh' -c 'export A_B='\\''it'\\''\\'\\'''\\''s'\\''\nset -e\nls -l'`, description: "ls -l" },
      ],
    ],
    ["lines", pi.createReadTool(), { path: "@a", offset: 2 }, ["read", { filePath: "a", offset: 2 }]],
    ["a file elsewhere", pi.createReadTool("/q"), { path: "a" }, ["read", { filePath: "/q/a" }]],
    ["a text", pi.createWriteTool(), { path: "a", content: "x" }, ["write", { filePath: "a", content: "x" }]],
    [
      "an edit",
      pi.createEditTool(),
      { path: "a", edits: [{ oldText: "x", newText: "y" }] },
      ["edit", { filePath: "a", oldString: "x", newString: "y" }],
    ],
    [
      "an edit of an older version",
      pi.createEditTool(),
      { path: "a", oldText: "x", newText: "y" },
      ["edit", { filePath: "a", oldString: "x", newString: "y" }],
    ],
    [
      "a literal",
      pi.createGrepTool(),
      { pattern: "a.b", literal: true, ignoreCase: true, glob: "*.ts" },
      ["grep", { pattern: "(?i)a\\.b", include: "*.ts" }],
    ],
    ["a name", pi.createFindTool(), { pattern: "*.ts", path: "src" }, ["glob", { pattern: "**/*.ts", path: "src" }]],
    ["a folder", pi.createLsTool("/q"), {}, ["list", { path: "/q", ignore: ["*/**"] }]],
  ];
  it.each(cases)("%s", async (_name, tool, params, expected) => {
    expect((await execute(tool, params, "")).called).toEqual([expected]);
  });
});

describe("[A8] tools of pi return what pi returns", () => {
  const grep = "3 matches in 2 files.\n\na.ts\n  1: one\n  2: two\n\nb/c.ts\n  7: three";
  const cases: [string, PiTool, object, InnerResult, unknown][] = [
    ["output", pi.createBashTool(), { command: "x" }, ok("hi\n", { exit: 0 }), text("hi\n")],
    ["no output", pi.createBashTool(), { command: "x" }, ok("[no output]", { exit: 0 }), text("(no output)")],
    [
      "an exit code",
      pi.createBashTool(),
      { command: "x" },
      ok("hi\n[exit code 2]", { exit: 2 }),
      "hi\n\n\nCommand exited with code 2",
    ],
    [
      "a signal",
      pi.createBashTool(),
      { command: "x" },
      ok("[no output; ended by signal SIGKILL]", { exit: null, signal: "SIGKILL" }),
      "Command exited with code 137",
    ],
    [
      "a time limit",
      pi.createBashTool(),
      { command: "x", timeout: 2 },
      ok("hi\n[timed out after 2000 ms and was ended with all processes that it had started]", { timedOut: true }),
      "hi\n\n\nCommand timed out after 2 seconds",
    ],
    [
      "a refusal",
      pi.createBashTool(),
      { command: "x" },
      { ok: false, code: "denied", message: '"bash" was not allowed to run.', content: [] },
      '"bash" was not allowed to run.',
    ],
    [
      "a cancellation",
      pi.createBashTool(),
      { command: "x" },
      { ok: false, code: "aborted", message: "cancelled", content: [] },
      "Command aborted",
    ],
    [
      "lines",
      pi.createReadTool(),
      { path: "a" },
      ok("     1\tone\n     2\t\ttwo\n(end of file: 2 lines)", { lines: 2, totalLines: 2 }),
      text("one\n\ttwo"),
    ],
    [
      "some lines",
      pi.createReadTool(),
      { path: "a", limit: 1 },
      ok("     1\tone\n(line 1 of 5: call read with offset 2 for more)", { lines: 1, totalLines: 5 }),
      text("one\n\n[4 more lines in file. Use offset=2 to continue.]"),
    ],
    [
      "an empty file",
      pi.createReadTool(),
      { path: "a" },
      ok("(the file is empty)", { lines: 0, totalLines: 0 }),
      text(""),
    ],
    [
      "a text that a hook has changed",
      pi.createReadTool(),
      { path: "a" },
      ok("[removed]", { lines: 2, totalLines: 2 }),
      text("[removed]"),
    ],
    [
      "an image",
      pi.createReadTool(),
      { path: "a.png" },
      { ok: true, content: [{ type: "image", data: "AA", mimeType: "image/png" }] },
      [...text("Read image file [image/png]"), { type: "image", data: "AA", mimeType: "image/png" }],
    ],
    [
      "a written file",
      pi.createWriteTool(),
      { path: "a", content: "" },
      ok("Created a."),
      text("Successfully wrote to a"),
    ],
    [
      "matches",
      pi.createGrepTool(),
      { pattern: "x" },
      ok(grep, { matches: 3, more: false }),
      text("a.ts:1: one\na.ts:2: two\nb/c.ts:7: three"),
    ],
    [
      "matches in a file with dollar signs in its name",
      pi.createGrepTool(),
      { pattern: "x" },
      ok("1 match in 1 file.\n\nroutes/$$.$1.ts\n  4: one", { matches: 1, more: false }),
      text("routes/$$.$1.ts:4: one"),
    ],
    [
      "too many matches",
      pi.createGrepTool(),
      { pattern: "x", limit: 1 },
      ok(grep, { matches: 3, more: false }),
      text("a.ts:1: one\n\n[1 matches limit reached. Refine the pattern]"),
    ],
    ["no match", pi.createGrepTool(), { pattern: "x" }, ok("Nothing.", { matches: 0 }), text("No matches found")],
    [
      "files",
      pi.createFindTool(),
      { pattern: "x", path: "src" },
      ok("2 files, newest first.\n\nsrc/a.ts\nsrc/b/c.ts", { files: 2, more: 0 }),
      text("a.ts\nb/c.ts"),
    ],
    [
      "a folder",
      pi.createLsTool(),
      {},
      ok("./\n  src/ [3 entries, not shown]\n  .env\n  link -> a\n  [2 more entries here]"),
      text(".env\nlink\nsrc/"),
    ],
    ["an empty folder", pi.createLsTool(), {}, ok("./ [empty]"), text("(empty directory)")],
  ];
  it.each(cases)("%s", async (_name, tool, params, result, expected) => {
    expect(textOf(await execute(tool, params, result))).toEqual(expected);
  });

  it("the details of an edit and of a cut output", async () => {
    const diff = "--- a\n+++ a\n@@ -9,2 +9,2 @@\n same\n-old\n+new\n";
    const edited = await execute(
      pi.createEditTool(),
      { path: "a", edits: [{ oldText: "o", newText: "n" }] },
      ok("", { diff }),
    );
    expect(edited.said).toEqual({
      content: text("Successfully replaced 1 block(s) in a."),
      details: { diff: "  9 same\n-10 old\n+10 new", patch: diff, firstChangedLine: 10 },
    });
    const truncated = { keptBytes: 2, totalBytes: 9, omittedLines: 3, fullOutput: "/tmp/full" };
    const ran = await execute(pi.createBashTool(), { command: "x" }, { ...ok("a\n", { exit: 0 }), truncated });
    expect(ran.said).toMatchObject({
      details: { fullOutputPath: "/tmp/full", truncation: { truncated: true, totalLines: 5, totalBytes: 9 } },
    });
  });

  it("several edits are one call, or one of them explains why it cannot be made", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolwright-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a"), "one two three two");
    const edit = (...edits: [string, string][]): ReturnType<typeof execute> =>
      execute(
        pi.createEditTool(),
        { path: "a", edits: edits.map(([oldText, newText]) => ({ oldText, newText })) },
        edits.some(([oldText]) => oldText === "two")
          ? { ok: false, code: "failed", message: "oldString occurs 2 times.", content: [] }
          : ok(""),
        folder,
      );
    expect((await edit(["three", "3"], ["one", "1"])).called).toEqual([
      ["edit", { filePath: "a", oldString: "one two three", newString: "1 two 3" }],
    ]);
    const refused = await edit(["one", "1"], ["two", "2"]);
    expect(refused.called).toEqual([["edit", { filePath: "a", oldString: "two", newString: "2" }]]);
    expect(refused.said).toBe("edits[1]: oldText occurs 2 times.");
  });
});

it("[A8] [P6] shows output of operations while a command runs, in whole characters, not for each piece", async () => {
  const bytes = Buffer.from("é\n".repeat(20_000));
  const operations = {
    exec: async (_command: string, _cwd: string, { onData }: { onData: (data: Buffer) => void }) => {
      for (let at = 0; at < bytes.length; at += 5) onData(bytes.subarray(at, at + 5));
      return { exitCode: 0 };
    },
  };
  const updates: PiResult[] = [];
  const tool = pi.createBashTool("/p", { operations });
  const result = (await tool.execute("c1", { command: "x" } as never, undefined, (update) =>
    updates.push(update as PiResult),
  )) as PiResult;
  expect(JSON.stringify([...updates.slice(0, -1), result])).not.toContain("\ufffd");
  expect(result.details).toMatchObject({ truncation: { totalLines: 20_000, totalBytes: bytes.length } });
  expect(updates.length).toBeLessThan(1_000);
});

describe("[A8] tools of pi with operations of the author call no built-in tool", () => {
  const files: Record<string, string> = { "/p/a": "one\ntwo\n" };
  const operations = {
    access: async (path: string) => {
      if (!(path in files)) throw Object.assign(new Error("missing"), { code: "ENOENT" });
    },
    readFile: async (path: string) => Buffer.from(files[path] ?? ""),
    writeFile: async (path: string, content: string) => {
      files[path] = content;
    },
    mkdir: async () => {},
    exists: async () => true,
    stat: async (path: string) => ({ isDirectory: () => !path.endsWith("a") }),
    readdir: async () => ["b", "a"],
    glob: async () => ["/p/src/x.ts"],
    exec: async (command: string, cwd: string, { onData }: { onData: (data: Buffer) => void }) => {
      onData(Buffer.from(`${cwd}$ ${command}\n`));
      return { exitCode: command === "false" ? 1 : 0 };
    },
  };
  const cases: [string, PiTool, object, unknown][] = [
    ["bash", pi.createBashTool("/p", { operations }), { command: "true" }, text("/p$ true\n")],
    [
      "bash fails",
      pi.createBashTool("/p", { operations }),
      { command: "false" },
      "/p$ false\n\n\nCommand exited with code 1",
    ],
    ["powershell", pi.createPowerShellTool("/p", { operations }), { command: "dir" }, text("/p$ dir\n")],
    ["read", pi.createReadTool("/p", { operations }), { path: "a", offset: 2 }, text("two\n")],
    ["read fails", pi.createReadTool("/p", { operations }), { path: "x" }, "missing"],
    [
      "edit",
      pi.createEditTool("/p", { operations }),
      { path: "a", edits: [{ oldText: "two", newText: "2" }] },
      text("Successfully replaced 1 block(s) in a."),
    ],
    [
      "edit fails",
      pi.createEditTool("/p", { operations }),
      { path: "a", edits: [{ oldText: "six", newText: "6" }] },
      "Could not find edits[0] in a. The oldText must match exactly including all whitespace and newlines.",
    ],
    ["write", pi.createWriteTool("/p", { operations }), { path: "n", content: "x" }, text("Successfully wrote to n")],
    ["find", pi.createFindTool("/p", { operations }), { pattern: "*.ts" }, text("src/x.ts")],
    ["ls", pi.createLsTool("/p", { operations }), {}, text("a\nb/")],
    [
      "grep",
      pi.createGrepTool("/p", { operations }),
      { pattern: "x" },
      'createGrepTool() of pi with "operations" is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.',
    ],
    [
      "powershell without operations",
      pi.createPowerShellTool("/p"),
      { command: "dir" },
      'The built-in tool "powershell" of pi is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.',
    ],
  ];
  it.each(cases)("%s", async (_name, tool, params, expected) => {
    const done = await execute(tool, params, "");
    expect(textOf(done)).toEqual(expected);
    expect(done.called).toEqual([]);
  });
});
