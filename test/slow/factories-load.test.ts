import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { trustProject } from "../../src/catalog/discovery/trusted-projects.ts";
import { factoryLines } from "../../src/host/formats/not-called.ts";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";

beforeAll(ensureBuilt);

const TOOL = `{ name: "made", label: "Made", description: "Is made.", parameters: { type: "object", properties: {} }, execute: async () => ({ content: [] }) }`;
const RETURNS = `(pi) => (${TOOL})`;
const REGISTERS = `export default function (pi) { pi.registerTool(${TOOL}); }`;
const NOTHING = `export default ${RETURNS};`;
const PLUGIN = `{ tool: { made: { description: "Is made.", args: {}, execute: async () => "" } } }`;

interface Listed {
  readonly tools: readonly { readonly name: string; readonly source: string }[];
  readonly problems: readonly { readonly code: string; readonly message: string; readonly line?: number }[];
}

async function list(at: Sandbox, options: readonly string[]): Promise<Listed> {
  const { tools, problems } = json<Listed>(await cli(at, ["list", "--json", ...options]));
  return { tools: tools.filter(({ source }) => source !== "builtin"), problems };
}

async function listed(files: Readonly<Record<string, string>>, options: readonly string[] = []): Promise<Listed> {
  const at = sandbox();
  await trustProject(at.project, join(at.home, ".toolwright"));
  for (const [path, text] of Object.entries(files)) {
    put(path.startsWith("~/") ? join(at.home, path.slice(2)) : join(at.project, path), text);
  }
  return list(at, options);
}

const inTools = (text: string, name = "x.ts"): Record<string, string> => ({ [`.toolwright/tools/${name}`]: text });

describe("[D5] [A5] [A8] a function is called because of", () => {
  it.each<[string, Record<string, string>, string[]?]>([
    ["a folder of pi", { ".pi/extensions/x.ts": REGISTERS }],
    ["a folder of pi's user", { "~/.pi/agent/extensions/x.ts": REGISTERS }],
    ["a folder of oh-my-pi", { ".omp/tools/x.ts": NOTHING }],
    ["a folder of oh-my-pi's extensions", { ".omp/extensions/x.ts": REGISTERS }],
    ["a folder of Atomic extensions", { ".atomic/extensions/x.ts": REGISTERS }],
    ["a folder of pi in a flag", { "sub/.pi/extensions/x.ts": REGISTERS }, ["--tools-path", "sub/.pi/extensions"]],
    ["a file of oh-my-pi in a flag", { "sub/.omp/tools/x.ts": NOTHING }, ["--tools-path", "sub/.omp/tools/x.ts"]],
    ["a plugin folder of OpenCode", { ".opencode/plugin/x.ts": `export default async () => (${PLUGIN});` }],
    ["a plugin folder, by name", { ".opencode/plugins/x.ts": `export const any = async () => (${PLUGIN});` }],
    [
      "a manifest of pi",
      {
        "node_modules/p/package.json": '{ "name": "p", "pi": { "extensions": ["./x.js"] } }',
        "node_modules/p/x.js": `module.exports = ${RETURNS};`,
        "package.json": '{ "dependencies": { "p": "1" } }',
      },
    ],
    ["types of toolwright", inTools(`import type { CustomToolAPI } from "toolwright";\n${NOTHING}`)],
    ["one type of several", inTools(`import { tool, type CustomToolFactory as F } from "toolwright";\n${NOTHING}`)],
    ["a type over lines", inTools(`import type {\n  // the API\n  ExtensionAPI,\n} from 'toolwright'\n${REGISTERS}`)],
    ["a type in place", inTools(`export default (pi: import("toolwright").CustomToolAPI) => (${TOOL});`)],
    [
      "satisfies",
      inTools(
        `import type { CustomToolFactory } from "toolwright";\nexport default (${RETURNS}) satisfies CustomToolFactory;`,
      ),
    ],
    ["a type of oh-my-pi", inTools(`import type { CustomToolFactory } from "@oh-my-pi/pi-coding-agent";\n${NOTHING}`)],
    ["a value of pi", inTools(`import { Type } from "@mariozechner/pi-ai";\n${REGISTERS}`)],
    [
      "a type of pi's new name",
      inTools(`import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";\n${REGISTERS}`),
    ],
    ["a type of Atomic", inTools(`import type { ExtensionAPI } from "@bastani/atomic";\n${REGISTERS}`)],
    ["an import of pi alone", inTools(`import "@mariozechner/pi-ai";\n${REGISTERS}`)],
    [
      "a require of pi",
      inTools(`const { Type } = require("@mariozechner/pi-ai");\nmodule.exports = ${RETURNS};`, "x.cjs"),
    ],
    ["JSDoc", inTools(`/** @type {import("toolwright").CustomToolFactory} */\n${NOTHING}`, "x.js")],
    [
      "JSDoc of CommonJS",
      inTools(`/** @type {import("toolwright").CustomToolFactory} */\nmodule.exports = ${RETURNS};`, "x.cjs"),
    ],
    ["an @import", inTools(`/** @import { CustomToolAPI } from "toolwright" */\n${NOTHING}`, "x.mjs")],
    [
      "a type of plugins",
      inTools(
        `import type { Plugin } from "@opencode-ai/plugin";\nexport default (async () => (${PLUGIN})) satisfies Plugin;`,
      ),
    ],
    [
      "a type of plugins, by name",
      inTools(
        `import { type Plugin } from "@opencode-ai/plugin";\nexport const any: Plugin = async () => (${PLUGIN});`,
      ),
    ],
    [
      "a plugin of OpenCode 2",
      inTools(
        `import { Plugin } from "@opencode/plugin";\nexport default Plugin.define({ id: "x", setup: (ctx) => ctx.tool.transform((t) => t.add("made", { description: "d", input: { type: "object", properties: {} }, execute: async () => "" })) });`,
      ),
    ],
    [
      "the file that it comes from",
      {
        ...inTools('export { default } from "./lib/f.js";'),
        ".toolwright/tools/lib/f.ts": `import type { CustomToolAPI } from "toolwright";\n${NOTHING}`,
      },
    ],
    [
      "a file that its file passes on",
      {
        ...inTools('import made from "./lib/g.ts";\nexport default made;'),
        ".toolwright/tools/lib/g.ts": 'export { made as default } from "./f.ts";',
        ".toolwright/tools/lib/f.ts": `import type { CustomToolAPI } from "toolwright";\nexport const made = ${RETURNS};`,
      },
    ],
    [
      "the manifest of the package that it comes from",
      {
        ...inTools('export { default } from "p";'),
        "node_modules/p/package.json": '{ "name": "p", "main": "x.js", "pi": { "extensions": ["./none.js"] } }',
        "node_modules/p/x.js": `module.exports = ${RETURNS};`,
      },
    ],
    [
      "a name and a library",
      inTools(`import { tool } from "toolwright";\nexport function createMadeTool() { return ${TOOL}; }`),
    ],
    [
      "a name and a library, as default",
      inTools(`import { tool } from "toolwright";\nexport default async function createTools() { return [${TOOL}]; }`),
    ],
  ])("%s", async (_, files, options) => {
    const { tools, problems } = await listed(files, options);
    expect(tools.map(({ name }) => name)).toEqual(["made"]);
    expect(problems.filter(({ code }) => code !== "unreadable")).toEqual([]);
  });
});

describe("[D5] a function that nothing declares", () => {
  const advice = (first: string, second: string): string =>
    `Its default export is a function. It was not called, because nothing says that it creates tools. If it returns or registers tools, begin it with these two lines: \`${first}\` and \`${second}\`. If it is the tool, export it as execute: \`export default tool({ description: "…", args: { … }, execute })\`.`;

  it.each([
    [
      "x.ts",
      "export default",
      'import type { CustomToolAPI } from "toolwright";',
      "export default function (pi: CustomToolAPI) {",
    ],
    [
      "x.js",
      "export default",
      '/** @param {import("toolwright").CustomToolAPI} pi */',
      "export default function (pi) {",
    ],
    [
      "x.cjs",
      "module.exports =",
      '/** @param {import("toolwright").CustomToolAPI} pi */',
      "module.exports = function (pi) {",
    ],
  ])("is a problem in %s, and the two lines of its message solve it", async (name, start, first, second) => {
    const body = `\n  return ${TOOL};\n}\n`;
    const before = await listed(inTools(`\n${start} function (pi) {${body}`, name));
    expect(before.problems).toMatchObject([{ code: "not_a_tool", message: advice(first, second) }]);
    expect(factoryLines(name)).toEqual([first, second]);
    const after = await listed(inTools(`${first}\n${second}${body}`, name));
    expect([after.tools.map((tool) => tool.name), after.problems]).toEqual([["made"], []]);
  });

  it("is read by its place, although the content is the same", async () => {
    const { tools, problems } = await listed({ ".pi/extensions/x.ts": NOTHING, ".claude/tools/x.ts": NOTHING });
    expect(tools).toHaveLength(1);
    expect(problems).toMatchObject([{ code: "not_a_tool" }]);
  });

  it("is read again if the same folder is named as that of another system", async () => {
    const at = sandbox();
    await trustProject(at.project, join(at.home, ".toolwright"));
    put(join(at.home, "agent/extensions/x.ts"), NOTHING);
    const count = async (env: Record<string, string>, options: readonly string[]): Promise<number> =>
      (await list({ ...at, env: { ...at.env, ...env } }, options)).tools.length;
    const [asPi, asPath] = [
      { PI_CODING_AGENT_DIR: join(at.home, "agent") },
      ["--tools-path", join(at.home, "agent/extensions")],
    ] as const;
    expect([await count(asPi, []), await count({}, asPath), await count(asPi, []), await count({}, asPath)]).toEqual([
      1, 0, 1, 0,
    ]);
  });
});
