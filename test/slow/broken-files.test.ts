import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { hosts } from "../support/processes.ts";
import { put } from "../support/temporary.ts";
import { answering, open } from "../support/toolbox.ts";

const GOOD = answering('"from good"');
const ALL = 'import "./good.ts";\nimport "./broken.ts";\nexport default 1;\n';
const SYNTAX = "export default {\n  x: ,\n};\n";

function served(toolbox: Pick<Toolbox, "list">): string[] {
  return toolbox.list().map(({ name }) => name);
}

function failed(toolbox: Pick<Toolbox, "problems">): string[] {
  return [...new Set(toolbox.problems().map(({ file }) => file.split("/").at(-1) ?? ""))].sort();
}

/** Files, with the names that are served and those that are not. The loader's test has many more cases. */
const BESIDE: readonly [string, Record<string, string>, readonly string[], readonly string[]][] = [
  [
    "a barrel imports it and a file with a syntax error",
    { "all.ts": ALL, "broken.ts": SYNTAX, "good.ts": GOOD },
    ["good"],
    ["all.ts", "broken.ts"],
  ],
  [
    "a barrel imports it and a file that throws",
    { "all.ts": ALL, "broken.ts": 'throw new Error("boom");\n', "good.ts": GOOD },
    ["good"],
    ["all.ts", "broken.ts"],
  ],
  [
    "it requires a file that was linked with a broken one",
    {
      "all.ts": ALL,
      "broken.ts": SYNTAX,
      "good.ts": GOOD,
      "user.cjs": 'const good = require("./good.ts").default;\nmodule.exports = good;\n',
    },
    ["good", "user"],
    ["all.ts", "broken.ts"],
  ],
  [
    "it imports a file with a top-level await with import()",
    {
      "good.ts": `await new Promise((done) => setTimeout(done, 100));\n${GOOD}`,
      "user.ts": 'const { default: good } = await import("./good.ts");\nexport default { ...good };\n',
    },
    ["good", "user"],
    [],
  ],
  [
    "another file adds to the prototype of all objects",
    { "a.ts": `Object.prototype.extend = function () {};\n${GOOD}`, "good.ts": GOOD },
    ["a", "good"],
    [],
  ],
  [
    "another file has removed what the host needs for calls",
    { "a.ts": "globalThis.AbortController = undefined;\nexport default 1;\n", "good.ts": GOOD },
    ["good"],
    ["a.ts"],
  ],
  [
    "another file has put a hook that throws into the module loader",
    {
      "a.ts": `import { registerHooks } from "node:module";
        registerHooks({ load() { throw new Error("hook"); } });
        export default 1;`,
      "good.ts": GOOD,
    },
    ["good"],
    ["a.ts"],
  ],
  [
    "another file has removed what it needs",
    {
      "a.ts": "globalThis.structuredClone = undefined;\nexport default 1;\n",
      "good.ts": `structuredClone(1);\n${GOOD}`,
    },
    ["good"],
    ["a.ts"],
  ],
];

describe("[D5] a healthy file is served and can be called if", () => {
  it.each(BESIDE)("%s", async (_, files, good, broken) => {
    const first = await open(files);
    expect([served(first.toolbox), failed(first.toolbox)]).toEqual([good, broken]);
    for (const name of good) expect(await first.say(name)).toBe("from good");
    await first.toolbox.close();
    const second = await open(first.at);
    expect([served(second.toolbox), failed(second.toolbox)]).toEqual([good, broken]);
    for (const name of [...good].reverse()) expect(await second.say(name)).toBe("from good");
    await second.toolbox.close();
    expect(hosts()).toEqual([]);
  });

  it.each(BESIDE)("%s, with a process for each file", async (_, files, good, broken) => {
    const { toolbox, say } = await open(files, { isolation: "file" });
    expect([served(toolbox), failed(toolbox)]).toEqual([good, broken]);
    for (const name of good) expect(await say(name)).toBe("from good");
  });

  it("it is called after broken ones in the shared process", async () => {
    const user = 'module.exports = require("./good.ts").default;\n';
    const files = { "all.ts": GOOD, "broken.ts": GOOD, "good.ts": GOOD, "user.cjs": user };
    const { toolbox, at } = await open(files);
    await toolbox.close();
    const again = await open(at);
    // Without a reload, the first call of each file imports it in the shared process.
    put(join(at.tools, "all.ts"), ALL);
    put(join(at.tools, "broken.ts"), SYNTAX);
    expect(await again.say("all")).toContain("Unexpected token");
    expect(await again.say("user")).toBe("from good");
    expect(await again.say("good")).toBe("from good");
  });
});

/** What prevents `tool.ts` from loading, and the files that fix it. Paths are relative to the project. */
const REPAIRS: readonly [string, Record<string, string>, Record<string, string>][] = [
  ["a file is created", { tool: 'import "./lib/x.ts";' }, { ".toolwright/tools/lib/x.ts": "" }],
  ["a folder is created", { tool: 'import "./lib/x";' }, { ".toolwright/tools/lib/x/index.mts": "export {};" }],
  ["a file outside is created", { tool: 'import "../../src/x.js";' }, { "src/x.ts": "export {};" }],
  [
    "a package is installed beside it",
    { tool: 'import "later";' },
    { ".toolwright/tools/node_modules/later/index.js": "" },
  ],
  ["a package is installed in the project", { tool: 'import "later";' }, { "node_modules/later/index.js": "" }],
  [
    "a package is installed above the project",
    { tool: 'import "@some/later";' },
    { "../node_modules/@some/later/index.js": "" },
  ],
  [
    "the package.json of a package changes",
    {
      tool: 'import "pkg";',
      "node_modules/pkg/package.json": '{ "main": "gone.js" }',
      "node_modules/pkg/lib/there.js": "",
    },
    { "node_modules/pkg/package.json": '{ "main": "lib/there.js" }' },
  ],
  [
    "a package is built",
    {
      tool: 'import "pkg/part";',
      "node_modules/pkg/package.json": '{ "exports": { "./*": "./dist/*.js" } }',
      "node_modules/pkg/dist/other.js": "",
    },
    { "node_modules/pkg/dist/part.js": "" },
  ],
  [
    "what an installed package imports is installed",
    {
      tool: 'import "pkg";',
      "node_modules/pkg/package.json": '{ "main": "lib/index.js" }',
      "node_modules/pkg/lib/index.js": 'require("./inner.js");',
      "node_modules/pkg/lib/inner.js": 'require("later");',
    },
    { "node_modules/later/index.js": "" },
  ],
  [
    "package.json says where a name leads",
    { tool: 'import "#x";', "package.json": "{}", "src/x.ts": "export {};" },
    { "package.json": '{ "imports": { "#x": "./src/x.ts" } }' },
  ],
  [
    "tsconfig.json says where a name leads",
    { tool: 'import "@/x";', "src/x.ts": "export {};" },
    { "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }' },
  ],
  [
    "a file is created where tsconfig.json says",
    { tool: 'import "@/x";', "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }' },
    { "src/x.ts": "export {};" },
  ],
  [
    "a file that it imports by way of another is corrected",
    {
      tool: 'import "./lib/a.ts";',
      ".toolwright/tools/lib/a.ts": 'import "./b.ts";',
      ".toolwright/tools/lib/b.ts": "const = 1;",
    },
    { ".toolwright/tools/lib/b.ts": "const b = 1;" },
  ],
  [
    "a name is exported",
    { tool: 'import { x } from "./lib/x.ts"; void x;', ".toolwright/tools/lib/x.ts": "export const y = 1;" },
    { ".toolwright/tools/lib/x.ts": "export const x = 1;" },
  ],
  [
    "a file that it reads is created",
    { tool: 'import { readFileSync } from "node:fs"; readFileSync(new URL("../../config.json", import.meta.url));' },
    { "config.json": "{}" },
  ],
  [
    "a file that Tool.define reads is created",
    {
      tool: `import { readFileSync } from "node:fs";
import { Tool } from "toolwright";
const file = new URL("../../config.json", import.meta.url);
export default Tool.define("tool", async () => {
  readFileSync(file);
  return { description: "Answers.", parameters: {}, execute: () => "from good" };
});`,
    },
    { "config.json": "{}" },
  ],
];

function broken(files: Record<string, string>): Sandbox {
  const at = sandbox();
  const { tool = "", ...others } = files;
  for (const [path, text] of Object.entries(others)) put(join(at.project, path), text);
  put(join(at.tools, "tool.ts"), tool.includes("export default") ? tool : `${tool}\n${GOOD}`);
  return at;
}

describe("[D6] a file that failed is loaded again after", () => {
  it.each(REPAIRS)("%s, by the next process", async (_, files, repair) => {
    const at = broken(files);
    const first = await open(at);
    expect(failed(first.toolbox)).toEqual(["tool.ts"]);
    await first.toolbox.close();
    for (const [path, text] of Object.entries(repair)) put(join(at.project, path), text);
    const second = await open(at);
    expect([served(second.toolbox).includes("tool"), failed(second.toolbox)]).toEqual([true, []]);
    expect(await second.say("tool")).toBe("from good");
  });

  it("a variable is set in the environment", async () => {
    const at = broken({ tool: 'if (!process.env.SOME_KEY) throw new Error("Set SOME_KEY.");' });
    const first = await open(at);
    expect(failed(first.toolbox)).toEqual(["tool.ts"]);
    await first.toolbox.close();
    const second = await open(at, { env: { ...at.env, SOME_KEY: "1" } });
    expect(served(second.toolbox)).toEqual(["tool"]);
  });

  /** Files that only the code of a package, or of the file itself, reads are not watched. */
  const unwatched = /imports is installed|reads is created|is built|tsconfig\.json says$/;
  it.each(REPAIRS.filter(([name]) => !unwatched.test(name)))("%s, while it is watched", async (_, files, repair) => {
    const at = broken(files);
    const { toolbox } = await open(at);
    onTestFinished(await toolbox.watch());
    expect(failed(toolbox)).toEqual(["tool.ts"]);
    for (const [path, text] of Object.entries(repair)) put(join(at.project, path), text);
    await expect.poll(() => served(toolbox), { timeout: 30_000 }).toEqual(["tool"]);
  });

  it.each([
    ["has a syntax error", SYNTAX],
    ["imports a file that does not exist", 'import "./gone.ts";'],
    ["imports a package that is not installed", 'import "missing-package";'],
  ])("nothing else: a file that %s is not imported again", async (_, tool) => {
    const at = broken({ tool });
    const first = await open(at);
    expect(failed(first.toolbox)).toEqual(["tool.ts"]);
    await first.toolbox.close();
    const second = await open(at);
    expect(failed(second.toolbox)).toEqual(["tool.ts"]);
    expect(second.toolbox.status.hosts.find(({ kind }) => kind === "node")).toMatchObject({ started: 0 });
  });
});
