import { symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { findMisplacedFiles } from "./misplaced-files.ts";

const TOOL = 'export default { description: "Lints.", execute: () => "" };\n';
const IMPORTS = 'import { tool } from "toolwright";\nexport const a = tool({});\n';
const JSON_TOOLS = '{ "name": "a", "tools": [{ "name": "a", "handler": { "type": "shell" } }] }';

function search(files: Record<string, string>, searched: readonly string[] = []): [string, string][] {
  const root = temporary();
  const [project, home] = [join(root, "project"), join(root, "home")];
  put(join(project, ".git/HEAD"), "");
  for (const [path, text] of Object.entries(files)) put(join(root, path), text);
  const found = findMisplacedFiles({
    cwd: project,
    home,
    toolwrightHome: join(home, ".toolwright"),
    searched: searched.map((path) => join(root, path)),
  });
  return found.map(({ file, folder }) => [relative(root, file), relative(root, folder)]);
}

describe("[D1] a tool file in a wrong folder", () => {
  it.each([
    ["project/tools/lint.ts", "project/.toolwright/tools"],
    ["project/tool/lint.mjs", "project/.toolwright/tools"],
    ["project/.toolwright/lint.ts", "project/.toolwright/tools"],
    ["project/.toolwright/tool/lint.ts", "project/.toolwright/tools"],
    ["project/.toolwright/toolss/lint.ts", "project/.toolwright/tools"],
    ["project/.toolwrigth/tools/lint.ts", "project/.toolwright/tools"],
    ["project/toolwright/tools/lint.ts", "project/.toolwright/tools"],
    ["project/.claude/tool/lint.ts", "project/.claude/tools"],
    ["project/.claude/lint.ts", "project/.claude/tools"],
    ["project/.opencode/lint.ts", "project/.opencode/tool"],
    ["project/.opencode/toool/lint.ts", "project/.opencode/tool"],
    ["project/.opencod/tool/lint.ts", "project/.opencode/tool"],
    ["project/.omp/tool/lint.ts", "project/.omp/tools"],
    ["project/.pi/extension/lint.ts", "project/.pi/extensions"],
    ["project/.pi/extentions/lint.ts", "project/.pi/extensions"],
    ["project/.pi/tool/lint.ts", "project/.pi/tools"],
    ["project/.codex/tool/lint.ts", "project/.codex/tools"],
    ["project/.atomic/tool/lint.ts", "project/.atomic/tools"],
    ["home/.toolwright/lint.ts", "home/.toolwright/tools"],
    ["home/.toolwright/tool/lint.ts", "home/.toolwright/tools"],
    ["home/.config/opencode/lint.ts", "home/.config/opencode/tool"],
    ["home/.claude/tool/lint.ts", "home/.claude/tools"],
    ["home/.pi/extensions/lint.ts", "home/.pi/agent/extensions"],
    ["home/.pi/agent/tools/lint.ts", "home/.pi/agent/extensions"],
    ["home/.omp/tools/lint.ts", "home/.omp/agent/tools"],
  ])("%s", (file, folder) => {
    expect(search({ [file]: TOOL })).toEqual([[file, folder]]);
  });

  it.each<[string, Record<string, string>, [string, string][]]>([
    ["without an index file", {}, [["a/lint.ts", "."]]],
    ["with an index file", { "a/index.ts": TOOL }, []],
    ["of a package", { "a/package.json": "{}" }, []],
    ["that a tool file imports", { "main.ts": 'export { default } from "./a/lint";' }, []],
    ["that is hidden", { ".b/lint.ts": TOOL, "node_modules/c.ts": TOOL }, [["a/lint.ts", "."]]],
  ])("is in a subfolder %s", (_, files, expected) => {
    const folder = "project/.toolwright/tools";
    const all = Object.entries({ "a/lint.ts": TOOL, ...files }).map(([path, text]) => [join(folder, path), text]);
    const found = search(Object.fromEntries(all), [folder, "project/src"]);
    expect(found).toEqual(expected.map(([file, to]) => [join(folder, file), join(folder, to)]));
  });

  it("is not advised to move to a folder where it would not be found", () => {
    expect(search({ "project/.github/lint.mjs": TOOL, "project/.github/tools/lint.mjs": TOOL })).toEqual([]);
  });

  it("is known by its imports, or as JSON tools", () => {
    expect(search({ "project/tools/a.ts": IMPORTS, "project/tools/b.json": JSON_TOOLS })).toEqual([
      ["project/tools/a.ts", "project/.toolwright/tools"],
      ["project/tools/b.json", "project/.toolwright/tools"],
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ["other code", { "project/tools/build.js": "export default function build() {}\n" }],
    ["other JSON", { "project/tools/data.json": '{ "tools": [] }' }],
    ["tests and types", { "project/tools/lint.test.ts": TOOL, "project/tools/lint.d.ts": TOOL }],
    ["tools folders", { "project/.toolwright/tools/lint.ts": TOOL, "project/.opencode/tools/lint.ts": TOOL }],
    ["folders with other names", { "project/src/tools/lint.ts": TOOL, "project/.claude/hooks/lint.ts": TOOL }],
    ["huge files", { "project/tools/lint.ts": TOOL + " ".repeat(300_000) }],
  ])("does not include %s", (_, files) => {
    expect(search(files)).toEqual([]);
  });

  it.each(["project/tools", "project/tools/lint.ts"])("does not include %s if it is searched", (path) => {
    expect(search({ "project/tools/lint.ts": TOOL }, [path])).toEqual([]);
  });

  it("[D7] does not follow links", () => {
    const root = temporary();
    const [project, outside] = [join(root, "project"), join(root, "outside")];
    put(join(outside, "lint.ts"), TOOL);
    put(join(project, "tool/plain.txt"), "");
    put(join(project, ".git/HEAD"), "");
    symlinkSync(outside, join(project, "tools"));
    symlinkSync(join(outside, "lint.ts"), join(project, "tool/lint.ts"));
    const home = join(root, "home");
    expect(findMisplacedFiles({ cwd: project, home, toolwrightHome: home, searched: [] })).toEqual([]);
  });
});
