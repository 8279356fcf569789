import { describe, expect, it } from "vitest";
import type { Access } from "../../core/tool.ts";
import type { ToolCallFields } from "./acp/acp-sdk.ts";
import { toolCallAccess as acpAccess, mergeToolCall } from "./acp/tool-call.ts";
import { claudeAccess } from "./claude/claude-access.ts";
import { copilotAccess } from "./copilot/copilot-access.ts";
import type { CopilotPermissionRequest } from "./copilot/copilot-sdk.ts";
import { opencodeAccess } from "./opencode/opencode-access.ts";

const HERE = "/work/here";
const UNKNOWN = ["undeclared"] as const;
const write = (...paths: string[]): Access[] => paths.map((path) => ({ kind: "write", target: `${HERE}/${path}` }));
const read = (...paths: string[]): Access[] => paths.map((path) => ({ kind: "read", target: `${HERE}/${path}` }));
const run = (target: string): Access => ({ kind: "execute", target });
const ELSEWHERE: Access = { kind: "write", target: "/etc/hosts" };

const at = (...paths: string[]): Pick<ToolCallFields, "locations"> => ({ locations: paths.map((path) => ({ path })) });
const diff = (...paths: string[]): Pick<ToolCallFields, "content"> => ({
  content: paths.map((path) => ({ type: "diff", path, newText: "x" })),
});
const input = (rawInput: unknown): Pick<ToolCallFields, "rawInput"> => ({ rawInput });

describe("[G9] [P3] a call over ACP touches everything that one of its fields names", () => {
  it.each<[string, Omit<ToolCallFields, "toolCallId">, readonly Access[]]>([
    ["edit", at("a"), write("a")],
    ["edit", diff("a"), write("a")],
    ["edit", { ...at("a"), ...diff("/etc/hosts") }, [...write("a"), ELSEWHERE]],
    ["edit", { ...at("a"), ...diff("a", "b") }, write("a", "b")],
    ["edit", { ...at("a"), ...input({ path: "/etc/hosts" }) }, [...write("a"), ELSEWHERE]],
    ["edit", { ...at("a"), ...input({ file_path: "b" }) }, write("a", "b")],
    [
      "edit",
      { ...at("a"), ...input({ edits: [{ filePath: "b" }, { absolute_path: "/etc/hosts" }] }) },
      [...write("a", "b"), ELSEWHERE],
    ],
    ["edit", { ...at("a"), ...input({ paths: ["b", "c"] }) }, write("a", "b", "c")],
    ["edit", { ...at("a"), ...input({ files: ["b", { path: "c" }] }) }, write("a", "b", "c")],
    [
      "edit",
      { ...at("a"), ...input({ changes: { b: { type: "update", move_path: "/etc/hosts" } } }) },
      [...write("a", "b"), ELSEWHERE],
    ],
    [
      "edit",
      {
        ...at("a"),
        ...input({
          patch:
            "*** Begin Patch\n*** Update File: b\n*** Move to: /etc/hosts\n@@\n-x\n+y\n*** Delete File: c\n*** End Patch",
        }),
      },
      [...write("a", "b"), ELSEWHERE, ...write("c")],
    ],
    [
      "edit",
      { ...at("a"), ...input({ notebook_path: "b.ipynb", new_source: "from x import path\n" }) },
      write("a", "b.ipynb"),
    ],
    ["edit", { ...at("a"), ...diff("~/b") }, UNKNOWN],
    ["edit", { ...at("a"), ...diff("") }, UNKNOWN],
    ["edit", { ...at("a"), ...input({ path: 1 }) }, UNKNOWN],
    ["edit", {}, UNKNOWN],
    ["delete", { ...at("a"), ...input({ path: "b" }) }, write("a", "b")],
    ["move", at("a", "b"), write("a", "b")],
    ["move", { ...at("a"), ...input({ source: "a", destination: "/etc/hosts" }) }, [...write("a"), ELSEWHERE]],
    ["move", { ...at("a"), ...input({ from: "a", to: "b" }) }, write("a", "b")],
    ["move", at("a"), UNKNOWN],
    ["read", { ...at("a"), ...input({ path: "b" }) }, read("a", "b")],
    ["read", { ...at("a"), ...diff("b") }, [...read("a"), ...write("b")]],
    ["search", at("src"), read("src")],
    ["search", { ...at("src"), ...input({ pattern: "../../*" }) }, UNKNOWN],
    ["search", { ...at("src"), ...input({ pattern: "*.ts", path: "lib" }) }, read("src", "lib")],
    ["execute", input({ command: "ls" }), [run("ls")]],
    ["execute", input({ command: "ls", cwd: HERE }), [run("ls")]],
    ["execute", input({ command: "ls", cwd: "." }), [run("ls")]],
    ["execute", input({ command: "ls", cwd: "/etc" }), UNKNOWN],
    ["execute", input({ command: "ls", workdir: "sub" }), UNKNOWN],
    ["execute", input({ command: "ls", working_directory: ".." }), UNKNOWN],
    ["execute", input({ command: "ls", dir_path: "~" }), UNKNOWN],
    ["execute", input({ command: "ls", cwd: 7 }), UNKNOWN],
    ["execute", input({ command: "ls", options: { cwd: "/etc" } }), UNKNOWN],
    ["execute", input({ command: ["ls"] }), UNKNOWN],
    ["execute", { ...input({ command: "ls" }), ...diff("a") }, [run("ls"), ...write("a")]],
    [
      "execute",
      { ...input({ command: "ls" }), ...at("/etc/hosts") },
      [run("ls"), { kind: "read", target: "/etc/hosts" }],
    ],
    ["fetch", input({ url: "https://x.test" }), [{ kind: "network", target: "https://x.test" }]],
    [
      "fetch",
      { ...input({ url: "https://x.test" }), ...diff("a") },
      [{ kind: "network", target: "https://x.test" }, ...write("a")],
    ],
    ["fetch", input({ url: "https://x.test", path: "a" }), UNKNOWN],
    ["think", diff("a"), UNKNOWN],
    // Another directory, or a path or URI at a key of any name.
    ["edit", input({ cwd: "/etc", path: "a" }), UNKNOWN],
    ["edit", { ...at("a"), ...input({ cwd: HERE, path: "a" }) }, write("a")],
    ["edit", { ...at("a"), ...input({ uri: "file:///etc/hosts" }) }, UNKNOWN],
    ["edit", { ...at("a"), ...input({ target: "/etc/hosts" }) }, UNKNOWN],
    ["edit", { ...at("a"), ...input({ relative_path: "../b" }) }, UNKNOWN],
    ["edit", { ...at("a"), ...input({ options: { output: "x/../../b" } }) }, UNKNOWN],
    ["edit", { ...at("a"), ...input({ new_string: "// a", content: "/x", old: "../y" }) }, write("a")],
    [
      "edit",
      { content: [{ type: "diff", path: "a", newText: "", ...{ oldPath: "/etc/hosts" } }] },
      [...write("a"), ELSEWHERE],
    ],
    [
      "edit",
      { ...at("a"), ...input({ patch: "*** Begin Patch\n *** Update File:/etc/hosts\n*** End Patch" }) },
      [...write("a"), ELSEWHERE],
    ],
    ["delete", { ...at("a"), ...input({ directory: "/etc" }) }, UNKNOWN],
    ["move", { ...at("a", "b"), ...input({ cwd: "/etc", from: "a", to: "b" }) }, UNKNOWN],
    ["move", { ...at("a", "b"), ...input({ target: "/etc/b" }) }, UNKNOWN],
    ["read", { ...at("a"), ...input({ resource: "file:///etc/passwd" }) }, UNKNOWN],
    ["search", { ...at("src"), ...input({ query: "x", cwd: "/etc" }) }, UNKNOWN],
    ["search", { ...at("src"), ...input({ glob: "../../*" }) }, UNKNOWN],
    ["search", { ...at("src"), ...input({ query: "/etc", include: "*.ts" }) }, read("src")],
    ["search", input({ dir_path: "src", pattern: "*.ts" }), read("src")],
    ["execute", input({ command: "sub", cwd: "sub" }), UNKNOWN],
    ["execute", input({ command: "ls", chdir: "sub" }), UNKNOWN],
    ["execute", input({ command: "ls", current_dir: "/etc" }), UNKNOWN],
    ["execute", input({ command: "ls", project: "/etc" }), UNKNOWN],
    ["execute", input({ command: "ls", args: ["-la"] }), UNKNOWN],
    ["execute", input({ command: "ls", env: { NODE_OPTIONS: "x" } }), UNKNOWN],
    ["execute", input({ command: "sh", stdin: "rm -rf x" }), UNKNOWN],
    ["execute", input({ command: "ls", commands: ["rm -rf x"] }), UNKNOWN],
    ["execute", input({ command: "ls", cmd: "ls", args: [], env: {}, description: "/ lists" }), [run("ls")]],
    ["fetch", input({ url: "https://x.test", urls: ["https://y.test"] }), UNKNOWN],
    // Paths at keys of other names, as keys, and in patches of other programs.
    ...["destination", "dst", "output", "outfile", "output_file", "newFile", "rename_to", "uri", "saveAs"].map(
      (key): [string, Omit<ToolCallFields, "toolCallId">, readonly Access[]] => [
        "edit",
        { ...at("a"), ...input({ [key]: "b" }) },
        write("a", "b"),
      ],
    ),
    ...["target", "name", "new_location"].map(
      (key): [string, Omit<ToolCallFields, "toolCallId">, readonly Access[]] => [
        "move",
        { ...at("a", "b"), ...input({ [key]: "c" }) },
        write("a", "b", "c"),
      ],
    ),
    ["fetch", input({ url: "https://x.test", output_file: "a" }), UNKNOWN],
    ["edit", { ...at("a"), ...input({ files: { "/etc/hosts": "x" } }) }, [...write("a"), ELSEWHERE]],
    ["edit", { ...at("a"), ...input({ files: { "b/c": "x" } }) }, write("a", "b/c")],
    ["edit", { ...at("a"), ...input({ edits: { "b.ts": [] } }) }, write("a", "b.ts")],
    ["edit", { ...at("a"), ...input({ changes: { "/etc/hosts": [] } }) }, [...write("a"), ELSEWHERE]],
    ["edit", { ...at("a"), ...input({ changes: { b: null } }) }, write("a", "b")],
    ["edit", { ...at("a"), ...input({ changes: [{ newText: "b.c" }], content: { "/x": 1 } }) }, write("a")],
    ["edit", { ...at("a"), ...input({ patch: "--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n" }) }, write("a", "b")],
    ["edit", { ...at("a"), ...input({ diff: "diff --git a/a b/b\nrename from a\nrename to b\n" }) }, write("a", "b")],
    [
      "edit",
      { ...at("a"), ...input({ diff: "--- /dev/null\r\n+++ /etc/hosts\t2026\r\n" }) },
      [...write("a"), ELSEWHERE],
    ],
    ["edit", { ...at("a"), ...input({ unified_diff: "@@ -1 +1 @@\n--- a\n+b\n" }) }, write("a")],
    ["edit", { content: [{ type: "diff", path: "a", newText: "", ...{ uri: "b" } }] }, write("a", "b")],
    ["edit", { locations: [{ path: null as unknown as string }] }, UNKNOWN],
    ...["glob", "include", "include_pattern", "filePattern", "globs", "exclude"].flatMap((key) =>
      ["{../,}*", "/etc/**", "{src,/etc}/*"].map(
        (value): [string, Omit<ToolCallFields, "toolCallId">, readonly Access[]] => [
          "search",
          { ...at("src"), ...input({ [key]: value }) },
          UNKNOWN,
        ],
      ),
    ),
    ...["wd", "work_tree", "workspace", "location", "project", "host", "container"].map(
      (key): [string, Omit<ToolCallFields, "toolCallId">, readonly Access[]] => [
        "execute",
        input({ command: "ls", [key]: "sub" }),
        UNKNOWN,
      ],
    ),
    [
      "fetch",
      input({ url: "https://x.test", prompt: "https://y.test" }),
      [{ kind: "network", target: "https://x.test" }],
    ],
  ])("%s %j", (kind, fields, access) => {
    expect(acpAccess({ toolCallId: "1", kind, ...fields }, HERE)).toEqual(access);
  });

  it("later updates of the call add files", () => {
    const first = mergeToolCall(undefined, { toolCallId: "1", kind: "edit", ...at("a"), ...diff("b") });
    const then = mergeToolCall(first, { toolCallId: "1", locations: [], ...diff("c") });
    expect(acpAccess(then, HERE)).toEqual(write("a", "b", "c"));
  });

  it("a later input that says less takes nothing back", () => {
    const merged = (kind: string, before: unknown, after: unknown): readonly Access[] => {
      const first = mergeToolCall(undefined, { toolCallId: "1", kind, ...input(before) });
      return acpAccess(mergeToolCall(first, { toolCallId: "1", ...input(after) }), HERE);
    };
    expect(merged("execute", { command: "ls", cwd: "/etc" }, { command: "ls" })).toEqual(UNKNOWN);
    expect(merged("edit", { path: "/etc/hosts" }, { path: "a" })).toEqual([ELSEWHERE, ...write("a")]);
    expect(merged("edit", { path: "a" }, { path: "a", content: "x" })).toEqual(write("a"));
    expect(merged("execute", { command: "ls", cwd: "/etc" }, { command: "ls", cwd: HERE })).toEqual(UNKNOWN);
    expect(merged("execute", { command: "ls", cwd: "/etc" }, { cwd: null })).toEqual(UNKNOWN);
    expect(merged("execute", { command: "ls", env: { A: "x" } }, { env: {} })).toEqual(UNKNOWN);
    expect(merged("execute", { command: "ls", args: ["x"] }, { args: [] })).toEqual(UNKNOWN);
    expect(merged("execute", { command: "l" }, { command: "ls", cwd: HERE })).toEqual([run("ls")]);
    for (const after of ["a", ["a"], { path: "a", cwd: HERE }])
      expect(merged("edit", { cwd: "/etc", path: "a" }, after)).toEqual(UNKNOWN);
    expect(merged("edit", { options: { target: "/etc/x" }, path: "a" }, { options: {} })).toEqual(UNKNOWN);
  });

  it("a later kind that changes less takes nothing back", () => {
    const merged = (...kinds: string[]): readonly Access[] =>
      acpAccess(
        kinds.reduce<ToolCallFields>((call, kind) => mergeToolCall(call, { toolCallId: "1", kind }), {
          toolCallId: "1",
          ...at("a"),
        }),
        HERE,
      );
    expect(merged("edit", "read")).toEqual(UNKNOWN);
    expect(merged("execute", "other", "search")).toEqual(UNKNOWN);
    expect(merged("other", "read")).toEqual(read("a"));
    expect(merged("read", "edit")).toEqual(write("a"));
  });
});

describe("[G3] [P3] a call of OpenCode touches everything that its request or its input names", () => {
  it.each<[string, Record<string, unknown>, unknown, readonly Access[]]>([
    ["edit", { filepath: "/etc/hosts" }, { filePath: "a" }, [...write("a"), ELSEWHERE]],
    ["edit", { files: [{ filePath: "a", movePath: "b" }] }, {}, write("a", "b")],
    ["edit", { files: [{ filePath: "a" }], filepath: "b" }, { filePath: "c" }, write("c", "a", "b")],
    ["edit", { files: [{ filePath: "a" }, { other: "b" }] }, {}, UNKNOWN],
    [
      "edit",
      { files: [{ filePath: "a" }] },
      { patchText: "*** Begin Patch\n*** Add File: b\n+x\n*** End Patch" },
      write("b", "a"),
    ],
    ["edit", {}, {}, UNKNOWN],
    ["read", { filePath: "/etc/hosts" }, { filePath: "a" }, [...read("a"), { kind: "read", target: "/etc/hosts" }]],
    ["glob", {}, { pattern: "**/*.ts" }, [{ kind: "read", target: HERE }]],
    ["glob", {}, { pattern: "../*" }, UNKNOWN],
    ["glob", { path: "/etc" }, { path: "src", pattern: "*" }, [...read("src"), { kind: "read", target: "/etc" }]],
    ["bash", {}, { command: "ls" }, [run("ls")]],
    ["bash", {}, { command: "ls", workdir: `${HERE}/` }, [run("ls")]],
    ["bash", { workdir: "/etc" }, { command: "ls", workdir: HERE }, UNKNOWN],
    ["bash", {}, { command: "ls", cwd: "sub" }, UNKNOWN],
    ["bash", { command: "rm -rf x" }, { command: "ls" }, [run("ls"), run("rm -rf x")]],
    [
      "webfetch",
      { url: "https://b.test" },
      { url: "https://a.test" },
      [
        { kind: "network", target: "https://a.test" },
        { kind: "network", target: "https://b.test" },
      ],
    ],
  ])("%s %j %j", (permission, metadata, callInput, access) => {
    expect(opencodeAccess({ permission, metadata }, callInput, HERE)).toEqual(access);
  });
});

describe("[G2] [P3] a call of Copilot touches everything that its request names", () => {
  it.each<[CopilotPermissionRequest, readonly Access[]]>([
    [{ kind: "write", fileName: "a" }, write("a")],
    [{ kind: "write", fileName: "a", resolvedPath: "/etc/hosts" }, [...write("a"), ELSEWHERE]],
    [{ kind: "read", path: "a", resolvedPath: `${HERE}/b` }, read("a", "b")],
    [{ kind: "write", fileName: "~/a", resolvedPath: `${HERE}/a` }, UNKNOWN],
    [{ kind: "write" }, UNKNOWN],
    [{ kind: "shell", fullCommandText: "ls" }, [run("ls")]],
  ])("%j", (request, access) => {
    expect(copilotAccess(request, HERE)).toEqual(access);
  });
});

describe("[G1] [P3] a call of Claude touches everything that its input names", () => {
  it.each<[string, Record<string, unknown>, readonly Access[]]>([
    ["Edit", { file_path: "a", path: "/etc/hosts" }, [...write("a"), ELSEWHERE]],
    ["MultiEdit", { file_path: "a", edits: [{ file_path: "b" }, { old_string: "path" }] }, write("a", "b")],
    ["NotebookEdit", { notebook_path: "a", file_path: "b" }, write("a", "b")],
    ["Bash", { command: "ls", cwd: "/etc" }, UNKNOWN],
    ["Bash", { command: "ls", workdir: HERE }, [run("ls")]],
    ["PowerShell", { command: "ls", working_directory: "sub" }, UNKNOWN],
    ["Glob", { pattern: "*", path: "src" }, read("src")],
  ])("%s %j", (tool, callInput, access) => {
    expect(claudeAccess(tool, callInput, HERE)).toEqual(access);
  });
});
