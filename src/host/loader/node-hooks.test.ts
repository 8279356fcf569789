import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { BUN_PACKAGES, PEER_PACKAGES, putPackage, TYPESCRIPT_PACKAGES } from "../../../test/support/package-cases.ts";

/** Vitest has its own loader, so these tests run the loader of Toolwright in plain Node processes. */
const HOOKS = fileURLToPath(new URL("./node-hooks.ts", import.meta.url));
const EXPLAIN = fileURLToPath(new URL("./explain-error.ts", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-loader-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const SCRIPT = `
  import { createLoader } from ${JSON.stringify(HOOKS)};
  import { explain } from ${JSON.stringify(EXPLAIN)};
  const loader = createLoader();
  for (const file of process.argv.slice(1)) {
    try {
      const module = await loader.load(file);
      console.log(JSON.stringify({ value: module.default, imports: loader.importsOf(file).map(([path]) => path) }));
    } catch (error) {
      console.log(JSON.stringify({ problem: explain(file, error), imports: loader.importsOf(file).map(([path]) => path) }));
    }
  }`;

interface Loaded {
  value?: unknown;
  imports?: string[];
  problem?: { code: string; line?: number; message: string };
}

async function load(file: string): Promise<Loaded> {
  return (await loadAll([file]))[0] as Loaded;
}

/** In one process. */
async function loadAll(files: readonly string[]): Promise<Loaded[]> {
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SCRIPT, "--", ...files];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH ?? "" },
  });
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("[A9] packages of pi", () => {
  it("a name that only the real package exports does not stop a file from loading, and fails when it is used", async () => {
    const file = put(
      "pi/newer.ts",
      `import chalk from "@oh-my-pi/pi-utils/chalk";
       import { StringEnum, type Model, brandNew, oldName as renamed } from "@mariozechner/pi-ai";
       import * as all from "@mariozechner/pi-coding-agent";
       const use = (value: () => unknown) => { try { return value() } catch (error) { return (error as Error).message } };
       export default [StringEnum(["a"]).enum, use(() => brandNew()), use(() => new renamed()), typeof chalk, typeof all.keyHint, use(() => all.newest())];`,
    );
    const absent = (name: string): string =>
      `${name} is only available in the agent that this file was written for. Use the context of the call, fetch(), a module of Node or a package from npm in its place.`;
    expect((await load(file)).value).toEqual([
      ["a"],
      absent("brandNew"),
      absent("oldName"),
      "function",
      "function",
      absent("newest"),
    ]);
  });
});

describe("[A9] imports and syntax of TypeScript authors", () => {
  it.each([
    ["enums and namespaces", "enum A { B = 'b' } namespace N { export const c = A.B } export default N.c;", "b"],
    ["parameter properties", "class P { constructor(readonly x: number) {} } export default new P(3).x;", 3],
    [
      "decorators",
      "const up = (_t: unknown, _k: string, d: PropertyDescriptor) => ({ ...d, value: () => 'up' }); class D { @up m() { return 'down' } } export default new D().m();",
      "up",
    ],
    ["top-level await", "const x: number = await Promise.resolve(4); export default x;", 4],
    [
      "satisfies, as const, generics",
      "const f = <T,>(x: T) => x; export default f({ a: 1 } as const satisfies object).a;",
      1,
    ],
    [
      "an import that is only a type",
      'import { Nothing } from "./nowhere"; export default 1 as unknown as Nothing;',
      1,
    ],
    ["import.meta.url", 'export default import.meta.url.split("/").at(-1);', expect.stringMatching(/\.ts$/)],
    [
      "__dirname, __filename and require",
      'export default [__dirname, __filename, require("node:path").basename(__dirname)].length;',
      3,
    ],
    [
      "the members of import.meta in Bun",
      "const { dir, path, file, env } = { dir: import.meta.dir, path: import.meta.path, file: import.meta.file, env: import.meta.env }; export default [dir + '/' + file === path, typeof env.PATH];",
      [true, "string"],
    ],
    ["CommonJS", "const path = require('node:path'); module.exports = path.sep as string;", "/"],
    [
      "a shebang",
      "#!/usr/bin/env node\nconst x: number = 1;\nexport default typeof require('node:fs').readFileSync + x;",
      "function1",
    ],
    ["a variable named require", "const require = (x: string) => x; export default require('mine');", "mine"],
    ["using", "const d = { [Symbol.dispose]() {} }; { using x = d; void x; } export default 'disposed';", "disposed"],
    ["a line with an accented letter", "const é: string = 'ü'; export default é;", "ü"],
  ])("%s", async (name, source, value) => {
    expect((await load(put(`syntax/${name.replace(/\W/g, "-")}.ts`, source))).value).toEqual(value);
  });

  it.each(["cjs", "ts"])("a .%s file may require JSON", async (extension) => {
    put("required/table.json", '{ "a": 1 }');
    const source = 'const table = require("./table.json"); module.exports = { default: Object.keys(table).join() };';
    expect((await load(put(`required/main.${extension}`, source))).value).toMatchObject({ default: "a" });
  });

  it("JSON is imported as a whole or by its members, and any file as text", async () => {
    put("data/a.json", '\uFEFF{ "a": 1, "b-c": 2, "default": 3, "class": 4, "__proto__": { "x": 5 } }');
    put("data/list.json", "[6]");
    put("data/nothing.json", "null");
    put("data/query.sql", "select 7");
    put("data/part.ts", "export const never = 1;");
    const file = put(
      "data/main.ts",
      `import whole, { a, "b-c" as bc } from "./a.json"; import * as all from "./a.json" with { type: "json" };
       import list from "./list.json"; import nothing from "./nothing.json"; import sql from "./query.sql" with { type: "text" };
       import code from "./part.ts" with { type: "text" };
       export default [a, bc, all.class, all.default.default, Object.hasOwn(whole, "__proto__"), list[0], nothing, sql, code];`,
    );
    expect((await load(file)).value).toEqual([1, 2, 4, 3, true, 6, null, "select 7", "export const never = 1;"]);
  });

  it("siblings are found without extension, as .js for .ts, as folders, JSON or text, by require and by dynamic import", async () => {
    put("siblings/a.ts", 'export const a: string = "a";');
    put("siblings/b.ts", 'export const b: string = "b";');
    put("siblings/c/index.ts", 'export const c: string = "c";');
    put("siblings/d.json", '{ "d": "d" }');
    put("siblings/e.ts", 'export const e: string = "e";');
    put("siblings/f.txt", "f");
    put("siblings/g.mts", 'export const g: string = "g";');
    const file = put(
      "siblings/main.ts",
      `import { a } from "./a"; import { b } from "./b.js"; import { c } from "./c"; import d from "./d.json"; import f from "./f.txt";
       const { e } = require("./e"); const { g } = await import("./g.mjs");
       import same from "./d.json" with { type: "json" }; import older from './d.json' assert { type: "json" };
       export default [a, b, c, d.d, e, f, g, same.d, older.d].join("");`,
    );
    const { value, imports } = await load(file);
    expect(value).toBe("abcdefgdd");
    expect(imports?.map((path) => basename(path)).sort()).toEqual(
      ["a.ts", "b.ts", "d.json", "e.ts", "f.txt", "g.mts", "index.ts", "main.ts"].sort(),
    );
  });

  it("tsconfig paths apply to names that are not found otherwise", async () => {
    put("paths/tsconfig.json", '{ "compilerOptions": { "paths": { "@/*": ["./source/*"] } } }');
    put("paths/source/x.ts", "export const x: number = 7;");
    expect((await load(put("paths/tools/main.ts", 'import { x } from "@/x"; export default x;'))).value).toBe(7);
  });
});

describe("[A9] packages that need not be installed", () => {
  it.each([
    ["toolwright", "tool"],
    ["@atomic/plugin", "tool"],
    ["@opencode-ai/plugin", "tool"],
    ["@opencode-ai/plugin/tool", "tool"],
    ["@kilocode/plugin", "tool"],
    ["../node_modules/@opencode-ai/plugin/dist/tool", "tool"],
    ["zod", "z"],
    ["zod/v4", "z"],
    ["typebox", "Type"],
    ["@sinclair/typebox", "Type"],
    ["@sinclair/typebox/value", "Value"],
  ])("%s", async (specifier, name) => {
    const file = put(
      `bare/${specifier.replace(/\W/g, "-")}.ts`,
      `import { ${name} } from "${specifier}"; export default typeof ${name};`,
    );
    expect((await load(file)).value).toMatch(/function|object/);
  });

  it("a package that is installed beside the file wins", async () => {
    put("own/node_modules/zod/package.json", '{ "name": "zod", "version": "0.0.1", "main": "index.js" }');
    put("own/node_modules/zod/index.js", 'exports.z = "their own";');
    const { value, imports } = await load(put("own/tools/main.ts", 'import { z } from "zod"; export default z;'));
    expect(value).toBe("their own");
    expect(imports?.map((path) => basename(path))).toEqual(["main.ts", "index.js", "zod"]);
  });

  it("a linked workspace package may be TypeScript", async () => {
    put("mono/packages/lib/package.json", '{ "name": "lib", "exports": "./src/index.ts" }');
    put("mono/packages/lib/src/index.ts", 'import { y } from "./y"; export const x: number = y;');
    put("mono/packages/lib/src/y.ts", "export const y: number = 9;");
    mkdirSync(join(root, "mono/node_modules"), { recursive: true });
    symlinkSync(join(root, "mono/packages/lib"), join(root, "mono/node_modules/lib"));
    expect((await load(put("mono/tools/main.ts", 'import { x } from "lib"; export default x;'))).value).toBe(9);
  });
});

describe("[A9] packages in node_modules", () => {
  it.each([
    ["TypeScript in a package", TYPESCRIPT_PACKAGES],
    ["packages whose peers are not installed", PEER_PACKAGES],
  ])("%s", async (name, cases) => {
    const files = cases.map((each, index) => putPackage(join(root, name, String(index)), each));
    const loaded = await loadAll(files);
    const got = loaded.map(({ value, problem }, index) => [cases[index]?.title, problem?.message ?? value]);
    expect(got).toEqual(cases.map(({ title, value }) => [title, value]));
  });

  it("code of a package that needs Bun is named", async () => {
    const files = BUN_PACKAGES.map((each, index) => putPackage(join(root, "needs-bun", String(index)), each));
    const loaded = await loadAll(files);
    const got = loaded.map(({ value, problem }, index) => [BUN_PACKAGES[index]?.title, problem?.message ?? value]);
    expect(got).toEqual(BUN_PACKAGES.map(({ title, inNode }) => [title, inNode.replace("NEEDS_BUN", NO_BUN)]));
  });
});

const NO_BUN =
  'It needs the Bun runtime, which is not installed: install Bun (https://bun.sh) and make sure that "bun" is on PATH.';

describe("[D5] files that cannot be imported", () => {
  it.each([
    [
      "a syntax error",
      "const a = 1;\nexport default {\n  x: ,\n};",
      "syntax",
      3,
      "Unexpected token. Correct it and save.",
    ],
    [
      "a thrown error, with the author's line",
      "interface A {\n  b: string;\n}\n\nenum C { D }\nthrow new Error('boom');",
      "import_failed",
      6,
      "It threw while it was imported: boom",
    ],
    [
      "a thrown SyntaxError that does not concern the file",
      'const is = "undefined";\n\nJSON.parse("{");\nexport default is;',
      "import_failed",
      3,
      "It threw while it was imported: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    ],
    [
      "a thrown value that is not an error",
      "throw { reason: 1 };",
      "import_failed",
      undefined,
      'It threw while it was imported: {"reason":1}',
    ],
    ["Bun", 'import { $ } from "bun"; export default $;', "needs_bun", undefined, `It imports "bun". ${NO_BUN}`],
    [
      "Bun in the middle of the file",
      "export default { execute: async () => Bun.$`ls` };",
      "needs_bun",
      undefined,
      `It uses "Bun.$". ${NO_BUN}`,
    ],
  ])("%s", async (name, source, code, line, message) => {
    const { problem } = await load(put(`bad/${name.replace(/\W/g, "-")}.ts`, source));
    expect(problem).toMatchObject({ code, message });
    expect(problem?.line).toBe(line);
  });

  it("a syntax error in plain JavaScript has a line too", async () => {
    const { problem } = await load(put("bad/plain.js", "export const a = 1;\nexport const b = ;"));
    expect(problem).toMatchObject({ code: "syntax", line: 2 });
  });

  it("a sibling that needs Bun is named, and is a dependency, for every file that imports it", async () => {
    const sibling = put("bun/lib/shell.ts", "export const list = () => Bun.$`ls`;");
    for (const name of ["first", "second"]) {
      const file = put(`bun/${name}.ts`, 'import { list } from "./lib/shell"; export default list;');
      const { problem, imports } = await load(file);
      expect(problem).toMatchObject({ code: "needs_bun", message: `lib/shell.ts: It uses "Bun.$". ${NO_BUN}` });
      expect(imports).toEqual([file, sibling]);
    }
  });

  it.each([
    ["a type import from Bun", 'import type { BunFile } from "bun"; export default 1 as unknown as BunFile;'],
    [
      "an import from Bun that is only used as a type",
      'import { BunFile } from "bun"; export default 1 as unknown as BunFile;',
    ],
    ["a guarded use of Bun", "declare const Bun: any; export default typeof Bun === 'undefined' ? 1 : Bun.version;"],
  ])("%s does not ask for Bun", async (name, source) => {
    expect((await load(put(`bun/${name.replace(/\W/g, "-")}.ts`, source))).value).toBe(1);
  });
});
