import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import { discover } from "./discover.ts";
import { isUnusedProject } from "./unused-project.ts";

function isUnused(files: Record<string, string>): boolean {
  const root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  for (const [file, text] of Object.entries(files)) put(join(root, "repo", file), text);
  const home = join(root, "home");
  const given = { home, toolwrightHome: join(home, ".toolwright"), env: {}, paths: [], parents: [], trust: false };
  return isUnusedProject(join(root, "repo"), (cwd) => discover({ ...given, cwd, mcpImport: true }).blocked.length > 0);
}

describe("isUnusedProject", () => {
  it("[D7] a project with no tools anywhere is unused, whatever else is in it", () => {
    expect(
      isUnused({ "src/a.ts": "", "package.json": "{}", "app/package.json": '{ "dependencies": { "x": "1" } }' }),
    ).toBe(true);
  });

  it.each([
    [".toolwright/tools/a.ts", ""],
    ["deep/down/.opencode/tool/a.ts", ""],
    [".hidden/deep/.opencode/tool/a.ts", ""],
    ["deep/.mcp.json", '{ "mcpServers": { "a": { "command": "a" } } }'],
    ["deep/opencode.json", '{ "mcp": { "a": { "command": ["a"] } } }'],
    [".toolwright/package.json", '{ "name": "toolwright", "exports": "./a.js" }'],
    [".toolwright/tools/node_modules/zod/package.json", "{}"],
  ])("[D7] %s makes it a used one", (file, text) => {
    expect(isUnused({ [file]: text })).toBe(false);
  });

  it("[D7] so does a package with tools that is installed for a folder of it", () => {
    const manifest = '{ "toolwright": { "tools": ["t.ts"] } }';
    const installed = { "app/node_modules/x/package.json": manifest, "app/node_modules/x/t.ts": "" };
    expect(isUnused({ "app/package.json": '{ "devDependencies": { "x": "1" } }', ...installed })).toBe(false);
  });
});
