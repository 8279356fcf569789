import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { isSafeToTrust } from "./safe-to-trust.ts";

/** Files by their paths in the repository; a text that begins with "->" creates a link. */
type Files = Readonly<Record<string, string>>;

function isUnused(files: Files, imports: readonly string[] = ["toolwright"]): boolean {
  const root = temporary();
  const repository = join(root, "repo");
  mkdirSync(join(repository, ".git"), { recursive: true });
  put(join(root, "outside/tools/a.ts"));
  put(join(root, "outside/a.ts"));
  for (const [path, text] of Object.entries(files)) {
    const file = join(repository, path);
    mkdirSync(dirname(file), { recursive: true });
    if (text.startsWith("->")) symlinkSync(text.slice(2).trim().replace("OUTSIDE", join(root, "outside")), file);
    else put(file, text);
  }
  const home = join(root, "home");
  const at = { home, toolwrightHome: join(home, ".toolwright"), env: {}, paths: [] };
  return isSafeToTrust({ ...at, cwd: repository }, imports);
}

const MCP = '{ "mcpServers": { "a": { "command": "a" } } }';
const OPENCODE = '{ "mcp": { "a": { "command": ["a"] } } }';
const PACKAGE = '{ "toolwright": { "tools": ["t.ts"] } }';
const DEPENDS = '{ "devDependencies": { "x": "1" } }';

describe("isSafeToTrust", () => {
  it.each<[string, Files]>([
    ["an empty repository", {}],
    ["source code", { "src/a.ts": "", "package.json": "{}", "app/package.json": '{ "dependencies": { "x": "1" } }' }],
    ["packages without tools", { "package.json": DEPENDS, "node_modules/x/package.json": '{ "name": "x" }' }],
    ["settings of other programs", { ".github/workflows/a.yml": "", ".claude/settings.json": "{}" }],
    ["an empty tools folder", { ".toolwright/tools/.gitkeep": "" }],
    ["a file that cannot be a tool", { ".toolwright/tools/README.md": "", ".claude/tools/a.py": "" }],
    ["configurations without servers", { ".mcp.json": "{}", "opencode.json": '{ "model": "m" }' }],
    ["a link to a folder of sources", { "src/a.ts": "", lib: "-> src" }],
    [
      "toolwright among its dependencies",
      { "package.json": '{ "name": "x", "devDependencies": { "toolwright": "1" } }' },
    ],
    ["a package whose name begins with toolwright", { "node_modules/toolwright-x/index.js": "" }],
    ["toolwright in node_modules, as a link to a package elsewhere", { "node_modules/toolwright": "-> OUTSIDE/tools" }],
    ["tools in a nested repository", { "vendor/x/.git/HEAD": "", "vendor/x/.toolwright/tools/a.ts": "" }],
  ])("[D7] %s leaves it unused", (_, files) => {
    expect(isUnused(files)).toBe(true);
  });

  it.each(
    [
      ".toolwright/tools",
      ".atomic/tools",
      ".atomic/extensions",
      ".opencode/tool",
      ".opencode/tools",
      ".kilo/tool",
      ".kilo/plugins",
      ".omp/tools",
      ".omp/extensions",
      ".pi/extensions",
      ".pi/tools",
      ".claude/tools",
      ".codex/tools",
    ].flatMap((folder) => ["", "sub/", "deep/.hidden/down/"].map((above) => `${above}${folder}`)),
  )("[D7] tools in %s make the project used, whichever part of the path is a link", (folder) => {
    const [above, dot, name] = (/^(.*?)(\.\w+)\/(\w+)$/.exec(folder) ?? []).slice(1) as [string, string, string];
    const up = "../".repeat(above.split("/").length - 1);
    expect(isUnused({ [`${folder}/a.ts`]: "" })).toBe(false);
    expect(isUnused({ [`${folder}/a.ts`]: "this is no TypeScript" })).toBe(false);
    expect(isUnused({ [`${folder}/a.json`]: "{}" })).toBe(false);
    expect(isUnused({ [`${folder}/a/index.ts`]: "" })).toBe(false);
    expect(isUnused({ [`assets/${name}/a.ts`]: "", [`${above}${dot}`]: `-> ${up}assets` })).toBe(false);
    expect(isUnused({ "assets/a.ts": "", [folder]: `-> ../${up}assets` })).toBe(false);
    expect(isUnused({ "assets/a.ts": "", [`${folder}/b.ts`]: `-> ../../${up}assets/a.ts` })).toBe(false);
    expect(isUnused({ [`${folder}/b.ts`]: "-> OUTSIDE/a.ts" })).toBe(false);
    expect(isUnused({ [folder]: "-> OUTSIDE/tools" })).toBe(false);
    expect(isUnused({ [`assets/${name}/a.ts`]: "", two: "-> assets", [`${above}${dot}`]: `-> ${up}two` })).toBe(false);
  });

  it.each<[string, Files]>([
    ["a tools folder that is a broken link", { ".toolwright/tools": "-> ../later" }],
    ["a tool file that is a broken link", { ".toolwright/tools/a.ts": "-> ../../later.ts" }],
    ["a link in a circle", { ".toolwright/tools/a.ts": "-> a.ts" }],
    ["an MCP configuration", { "deep/.mcp.json": MCP }],
    ["an MCP configuration behind a link", { "deep/.mcp.json": "-> ../servers.json", "servers.json": MCP }],
    ["servers of Copilot", { ".github/mcp.json": MCP }],
    ["servers of Copilot behind a link", { "x/mcp.json": MCP, "deep/.github": "-> ../x" }],
    ["servers in .copilot", { "deep/.copilot/mcp-config.json": MCP }],
    ["servers of OpenCode", { "deep/opencode.jsonc": OPENCODE }],
    ["servers in .opencode", { "x/opencode.json": OPENCODE, "deep/.opencode": "-> ../x" }],
    [
      "a package.json named toolwright",
      { ".toolwright/package.json": '{ "name": "toolwright", "exports": "./a.js" }' },
    ],
    ["a package.json that is a broken link", { ".toolwright/package.json": "-> ../later.json" }],
    ["packages in the tools folder", { ".toolwright/tools/node_modules/zod/package.json": "{}" }],
    ["packages beside it that are a link", { "x/zod/package.json": "{}", ".toolwright/node_modules": "-> ../x" }],
    [
      "toolwright in node_modules",
      { "node_modules/toolwright/package.json": "{}", "node_modules/toolwright/index.js": "" },
    ],
    [
      "toolwright in node_modules, with an extension that CommonJS does not try",
      { "node_modules/toolwright/index.mjs": "" },
    ],
    ["toolwright in node_modules as a file", { "node_modules/toolwright.mjs": "" }],
    ["toolwright in node_modules as a link", { "a.mts": "", "node_modules/toolwright/index.mts": "-> ../../a.mts" }],
    ["toolwright in node_modules as a broken link", { "node_modules/toolwright": "-> ../later" }],
    ["toolwright in node_modules, which is a link", { "x/toolwright/index.mjs": "", node_modules: "-> x" }],
    [
      "toolwright as the name of the project",
      { "package.json": '{ "name": "toolwright", "exports": "./a.js" }', "a.js": "" },
    ],
    [
      "toolwright as the name of the project, and a file without its extension",
      { "package.json": '{ "name": "toolwright", "exports": "./a" }', "a.mts": "" },
    ],
    [
      "two names for the project, one of them toolwright",
      { "package.json": '{ "name": "toolwright", "name": "x", "exports": "./a.js" }', "a.js": "" },
    ],
    [
      "toolwright as the name of the project, with escapes",
      { "package.json": String.raw`{ "n\u0061me" : "toolwrigh\u0074", "exports": "./a.js" }`, "a.js": "" },
    ],
    [
      "an installed package with tools",
      { "app/package.json": DEPENDS, "app/node_modules/x/package.json": PACKAGE, "app/node_modules/x/t.ts": "" },
    ],
    [
      "an installed package with tools, through links",
      {
        "x/package.json": PACKAGE,
        "x/t.ts": "",
        "deps.json": DEPENDS,
        "app/package.json": "-> ../deps.json",
        "app/node_modules/x": "-> ../../x",
      },
    ],
  ])("[D7] %s makes the project used", (_, files) => {
    expect(isUnused(files)).toBe(false);
  });

  it("[D7] a package that the first file would import makes the project used, another does not", () => {
    const files = { "node_modules/zod/package.json": "{}", "node_modules/zod/index.js": "" };
    expect(isUnused(files, ["toolwright", "zod"])).toBe(false);
    expect(isUnused(files, ["toolwright"])).toBe(true);
    const scoped = { "node_modules/@opencode-ai/plugin/index.mjs": "" };
    expect(isUnused(scoped, ["@opencode-ai/plugin"])).toBe(false);
    expect(isUnused(scoped, ["@opencode-ai/plugin/tool"])).toBe(false);
    expect(isUnused(scoped, ["@opencode-ai/plug", "plugin"])).toBe(true);
  });
});
