import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { expectedProblem, MISTAKES, writeMistakes } from "../support/import-mistakes.ts";
import { BUN, installed } from "../support/installed.ts";
import { BUN_PACKAGES, PEER_PACKAGES, putPackage, TYPESCRIPT_PACKAGES } from "../support/package-cases.ts";
import { put as write } from "../support/temporary.ts";

const missing = await installed("bun");
const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bun-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, text: string): string => write(join(root, path), text);
const ours = (name: string): string => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)));

const SCRIPT = write(
  join(root, "load.ts"),
  `import { createBunLoader } from ${ours("../../src/host/loader/bun.ts")};
  import { explain } from ${ours("../../src/host/loader/explain-error.ts")};
  import { listExports } from ${ours("../../src/host/formats/list-exports.ts")};
  const loader = createBunLoader();
  for (const file of process.argv.slice(2)) {
    try {
      const module = await loader.load(file);
      const names = listExports(module, file).map(({ exportName }) => exportName);
      console.log(JSON.stringify({ value: module.default, names, imports: loader.importsOf(file).map(([path]) => path) }));
    } catch (error) {
      console.log(JSON.stringify({ problem: explain(file, error), imports: loader.importsOf(file).map(([path]) => path) }));
    }
  }`,
);

interface Loaded {
  value?: unknown;
  names?: string[];
  imports: string[];
  problem?: { code: string; line?: number; message: string };
}

async function loadAll(...files: string[]): Promise<Loaded[]> {
  const { stdout } = await promisify(execFile)(BUN, ["--no-install", SCRIPT, ...files], { cwd: root, env: {} });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function load(file: string): Promise<Loaded> {
  return (await loadAll(file))[0] as Loaded;
}

const named = (paths: readonly string[]): string[] => paths.map((path) => basename(path)).sort();

describe.skipIf(missing)(`[A9] loading under Bun${missing ? ` (${missing})` : ""}`, () => {
  it("a name that only the real package of pi exports does not stop a file from loading", async () => {
    const file = put(
      "pi/newer.ts",
      `import chalk from "@oh-my-pi/pi-utils/chalk";
       import type { Theme } from "@oh-my-pi/pi-coding-agent";
       import { StringEnum, type Model, brandNew as renamed } from "@oh-my-pi/pi-ai";
       const use = (value: () => unknown) => { try { return value() } catch (error) { return (error as Error).message } };
       export default [StringEnum(["a"]).enum, use(() => renamed()), typeof chalk];`,
    );
    const { value, problem } = await load(file);
    expect(problem).toBeUndefined();
    expect(value).toEqual([
      ["a"],
      expect.stringMatching(/^brandNew is only available in the agent that this file was written for/),
      "function",
    ]);
  });

  it.each([
    [
      "enums and parameter properties",
      "enum A { B = 'b' } class P { constructor(readonly x: A) {} } export default new P(A.B).x;",
      "b",
    ],
    [
      "decorators, as under Node",
      "const up = (_t: unknown, _k: string, d: PropertyDescriptor) => ({ ...d, value: () => 'up' }); class D { @up m() { return 'down' } } export default new D().m();",
      "up",
    ],
    ["top-level await", "const x: number = await Promise.resolve(4); export default x;", 4],
    [
      "an import that is only a type",
      'import { Nothing } from "./nowhere"; export default 1 as unknown as Nothing;',
      1,
    ],
    ["import.meta.url", 'export default import.meta.url.split("/").at(-1);', "import-meta-url.ts"],
    ["a shebang", '#!/usr/bin/env bun\nimport { z } from "zod"; export default typeof z;', "object"],
    ["require in a module", 'export default require("node:path").basename(__dirname);', "syntax"],
    [
      "a built-in of Bun",
      'import { Database } from "bun:sqlite"; import { $ } from "bun"; export default typeof Database + typeof $;',
      "functionfunction",
    ],
  ])("%s", async (name, source, value) => {
    expect((await load(put(`syntax/${name.replace(/\W/g, "-")}.ts`, source))).value).toEqual(value);
  });

  it("siblings are found without extension, as .js for .ts, as folders, JSON or text, by require and by dynamic import", async () => {
    put("siblings/a.ts", 'export const a: string = "a";');
    put("siblings/b.ts", 'export const b: string = "b";');
    put("siblings/c/index.ts", 'export const c: string = "c";');
    put("siblings/d.json", '{ "d": "d" }');
    put("siblings/e.ts", 'export const e: string = "e";');
    put("siblings/f.txt", "f");
    put("siblings/g.mts", 'import { z } from "zod"; export const g: string = z.string().parse("g");');
    put("siblings/h.md", "# h");
    const file = put(
      "siblings/main.ts",
      `import { a } from "./a"; import { b } from "./b.js"; import { c } from "./c"; import d from "./d.json"; import f from "./f.txt";
       import h from "./h.md"; const { e } = require("./e"); const { g } = await import("./g.mjs");
       export default [a, b, c, d.d, e, f, g, h].join("");`,
    );
    const { value, imports } = await load(file);
    expect(value).toBe("abcdefg# h");
    expect(named(imports).filter((name) => name !== "index.js")).toEqual(
      ["a.ts", "b.ts", "d.json", "e.ts", "f.txt", "g.mts", "h.md", "index.ts", "main.ts"].sort(),
    );
  });

  it.each([
    ["a tool", "module.exports = { description: 'x', execute() {} };", ["default"]],
    ["several", "exports.a = { execute() {} }; exports.b = { execute() {} };", ["a", "b"]],
    [
      "compiled from a module",
      "exports.__esModule = true; exports.default = { execute() {} }; exports.b = {};",
      ["default", "b"],
    ],
  ])("CommonJS, %s", async (name, source, names) => {
    expect((await load(put(`commonjs/${name.replace(/\W/g, "-")}.cjs`, source))).names).toEqual(names);
  });

  it("tsconfig paths apply", async () => {
    put("paths/tsconfig.json", '{ "compilerOptions": { "paths": { "@/*": ["./source/*"] } } }');
    put("paths/source/x.ts", "export const x: number = 7;");
    expect((await load(put("paths/tools/main.ts", 'import { x } from "@/x"; export default x;'))).value).toBe(7);
  });
});

describe.skipIf(missing)("[A9] packages that need not be installed, under Bun", () => {
  it.each([
    ["toolwright", "tool"],
    ["@atomic/plugin", "tool"],
    ["@opencode-ai/plugin", "tool"],
    ["@opencode-ai/plugin/tool", "tool"],
    ["zod", "z"],
    ["zod/v4", "z"],
    ["typebox", "Type"],
    ["@sinclair/typebox", "Type"],
    ["@sinclair/typebox/value", "Value"],
  ])("%s", async (specifier, name) => {
    const file = `${specifier.replace(/\W/g, "-")}.ts`;
    const loaded = await loadAll(
      put(`bare/import-${file}`, `import { ${name} } from "${specifier}"; export default typeof ${name};`),
      put(`bare/dynamic-${file}`, `const { ${name} } = await import('${specifier}'); export default typeof ${name};`),
      put(`bare/require-${file}`, `const { ${name} } = require("${specifier}"); export default typeof ${name};`),
    );
    for (const { value, problem } of loaded)
      expect({ value, problem }).toEqual({ value: expect.stringMatching(/function|object/) });
  });

  it("can be used from CommonJS", async () => {
    const file = put("bare/common.cjs", 'module.exports = typeof require("zod").z;');
    expect((await load(file)).value).toBe("object");
  });

  it("are the same module instances that Toolwright uses", async () => {
    const schema = JSON.stringify(import.meta.resolve("zod").replace("file://", ""));
    const file = put(
      "bare/same.ts",
      `import { z } from "zod"; import * as other from ${schema}; export default z === other.z;`,
    );
    expect((await load(file)).value).toBe(true);
  });

  it("are not replaced inside strings and comments", async () => {
    const text = `import { z } from "zod";\n// from "zod"\nexport default [typeof z, \`import { z } from "zod"\`, 'require("zod")'];`;
    expect((await load(put("bare/texts.ts", text))).value).toEqual([
      "object",
      'import { z } from "zod"',
      'require("zod")',
    ]);
  });

  it("a package that is installed beside the file wins, for that file only", async () => {
    put("own/node_modules/zod/package.json", '{ "name": "zod", "version": "0.0.1", "main": "index.js" }');
    put("own/node_modules/zod/index.js", 'exports.z = "their own";');
    const source = 'import { z } from "zod"; export default typeof z === "string" ? z : "ours";';
    const [theirs, without] = await loadAll(put("own/tools/main.ts", source), put("none/tools/main.ts", source));
    expect(theirs?.value).toBe("their own");
    expect(theirs?.imports.map((path) => basename(path))).toEqual(["main.ts", "index.js", "zod"]);
    expect(without?.value).toBe("ours");
  });

  it("a linked workspace package may be TypeScript", async () => {
    put("mono/packages/lib/package.json", '{ "name": "lib", "exports": "./src/index.ts" }');
    put("mono/packages/lib/src/index.ts", 'import { y } from "./y"; export const x: number = y;');
    put("mono/packages/lib/src/y.ts", "export const y: number = 9;");
    mkdirSync(join(root, "mono/node_modules"), { recursive: true });
    symlinkSync(join(root, "mono/packages/lib"), join(root, "mono/node_modules/lib"));
    const { value, imports } = await load(put("mono/tools/main.ts", 'import { x } from "lib"; export default x;'));
    expect(value).toBe(9);
    expect(named(imports)).toEqual(["index.ts", "lib", "main.ts", "y.ts"]);
  });
});

describe.skipIf(missing)("[A9] packages in node_modules, under Bun", () => {
  it.each([
    ["TypeScript in a package", TYPESCRIPT_PACKAGES],
    ["packages whose peers are not installed", PEER_PACKAGES],
    ["packages that need Bun", BUN_PACKAGES],
  ])("%s", async (name, cases) => {
    const files = cases.map((each, index) => putPackage(join(root, name, String(index)), each));
    const loaded = await loadAll(...files);
    const got = loaded.map(({ value, problem }, index) => [cases[index]?.title, problem?.message ?? value]);
    expect(got).toEqual(cases.map(({ title, value }) => [title, value]));
  });
});

describe.skipIf(missing)("[D5] files that Bun cannot import", () => {
  it.each([
    ["a syntax error", "const a = 1;\nexport default {\n  x: ,\n};", "syntax", 3, "Unexpected ,. Correct it and save."],
    [
      "a thrown error, with the author's line",
      'import { z } from "zod";\ninterface A {\n  b: string;\n}\n\nenum C { D }\nthrow new Error("boom" + typeof z);',
      "import_failed",
      7,
      "It threw while it was imported: boomobject",
    ],
    [
      "a thrown error in a file with decorators",
      "interface A {\n  b: string;\n}\nconst d = (x: unknown): void => void x;\n@d class C {}\n\nthrow new Error(C.name);",
      "import_failed",
      7,
      "It threw while it was imported: C",
    ],
    [
      "a thrown SyntaxError that does not concern the file",
      'const is = "undefined";\n\nJSON.parse("{");\nexport default is;',
      "import_failed",
      3,
      "It threw while it was imported: JSON Parse error: Expected '}'",
    ],
    [
      "a thrown value that is not an error",
      "throw { reason: 1 };",
      "import_failed",
      undefined,
      'It threw while it was imported: {"reason":1}',
    ],
  ])("%s", async (name, source, code, line, message) => {
    const { problem } = await load(put(`bad/${name.replace(/\W/g, "-")}.ts`, source));
    expect(problem).toMatchObject({ code, message });
    expect(problem?.line).toBe(line);
  });

  it("a broken sibling is named, with its line, and is a dependency", async () => {
    put("bad/lib/sibling.ts", "export const x = 1;\nexport const y = ;");
    const { problem, imports } = await load(put("bad/main.ts", 'import { x } from "./lib/sibling"; export default x;'));
    expect(problem).toMatchObject({
      code: "syntax",
      message: "lib/sibling.ts:2:18, which it imports: Unexpected ;. Correct it and save.",
    });
    expect(problem?.line).toBeUndefined();
    expect(named(imports)).toEqual(["main.ts", "sibling.ts"]);
  });

  it("a missing sibling is named, and watched for", async () => {
    const { problem, imports } = await load(put("bad/absent.ts", 'import { x } from "./gone"; export default x;'));
    expect(problem).toMatchObject({
      code: "import_failed",
      message: 'It imports "./gone", which does not exist. Correct the path.',
    });
    expect(imports).toContain(join(root, "bad/gone.ts"));
  });
});

describe.skipIf(missing)("[D5] under Bun, the problem of a file with", async () => {
  const files = missing ? [] : writeMistakes(root);
  const loaded = missing ? [] : await loadAll(...files);

  it.each(MISTAKES.filter(({ bun }) => bun !== "loads"))("$title", (mistake) => {
    const problem = loaded[MISTAKES.indexOf(mistake)]?.problem;
    expect(problem).toEqual({ file: files[MISTAKES.indexOf(mistake)], ...expectedProblem(mistake, root, "bun") });
  });
});
