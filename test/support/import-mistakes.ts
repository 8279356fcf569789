import { dirname, join } from "node:path";
import type { Problem } from "../../src/core/problem.ts";
import { put } from "./temporary.ts";

/** A mistake of an author that prevents an import, and the literal problem. `ROOT` stands for the folder of the files. */
export interface Mistake {
  readonly title: string;
  /** The first file is the tool file. */
  readonly files: Readonly<Record<string, string>>;
  readonly code: Problem["code"];
  /** The line and the column. */
  readonly at?: string;
  readonly message: string;
  readonly frame?: string;
  /** What differs under Bun, whose parser and messages are other ones. */
  readonly bun?: "loads" | { readonly message?: string; readonly frame?: undefined };
}

const importing = (specifier: string, name = "x"): string => `import ${name} from "${specifier}";\nexport default x;\n`;

function noPackage(specifier: string, meant: string): Mistake {
  return {
    title: `a package with a typo, ${specifier}`,
    files: { "tool.ts": importing(specifier) },
    code: "import_failed",
    at: "1:16",
    message: `It imports "${specifier}", which does not exist. Did you mean "${meant}"?`,
  };
}

function noName(title: string, files: Record<string, string>, at: string, message: string): Mistake {
  return { title, files, code: "import_failed", at, message };
}

/** Mistakes in the names of imported packages, files and exports. */
const IMPORTS: readonly Mistake[] = [
  noPackage("toolwrigth", "toolwright"),
  noPackage("tool-wright", "toolwright"),
  noPackage("zodd", "zod"),
  noPackage("@opencode-ai/plugins", "@opencode-ai/plugin"),
  noPackage("@opencode-ai/plugin/tols", "@opencode-ai/plugin/tool"),
  noPackage("@mariozechner/pi-coding-agnt", "@mariozechner/pi-coding-agent"),
  noPackage("@oh-my-pi/pi-tuii", "@oh-my-pi/pi-tui"),
  noPackage("typebx", "typebox"),
  noPackage("@sinclair/typbox", "@sinclair/typebox"),
  noPackage("fs/promise", "fs/promises"),
  noPackage("child_proces", "child_process"),
  {
    title: "a module of Node with a typo",
    files: { "tool.ts": importing("node:fss") },
    code: "import_failed",
    at: "1:16",
    message: 'It imports "node:fss", which is not a module of Node. Did you mean "node:fs"?',
  },
  noName(
    "an installed package with a typo",
    { "tool.ts": importing("lodahs"), "node_modules/lodash/index.js": "" },
    "1:16",
    'It imports "lodahs", which is not installed. Did you mean "lodash"?',
  ),
  noName(
    "a dependency that is not installed yet, although its name resembles another",
    {
      "tool.ts": importing("zodd"),
      "package.json": '{ "dependencies": { "zodd": "1" } }',
      "package-lock.json": "{}",
    },
    "1:16",
    'It imports the package "zodd", which is not installed. To install it, run: npm install --prefix ROOT zodd',
  ),
  noName(
    "a relative import with a typo",
    { "tool.ts": importing("./helpers.ts", "{ x }"), "helper.ts": "export const x = 1;\n" },
    "1:20",
    'It imports "./helpers.ts", which does not exist. Did you mean "./helper.ts"?',
  ),
  noName(
    "a relative import with a typo in a folder",
    { "tool.ts": importing("./libs/helper", "{ x }"), "lib/helper.mts": "export const x = 1;\n" },
    "1:20",
    'It imports "./libs/helper", which does not exist. Did you mean "./lib/helper.mts"?',
  ),
  noName(
    "a relative import with another extension",
    { "tool.ts": importing("./text.yaml", "x"), "text.yml": "a: 1\n" },
    "1:16",
    'It imports "./text.yaml", which does not exist. Did you mean "./text.yml"?',
  ),
  noName(
    "a relative require with a typo",
    { "tool.cjs": 'const x = require("./helpers");\nmodule.exports = x;\n', "helper.cjs": "module.exports = 1;\n" },
    "1:20",
    'It imports "./helpers", which does not exist. Did you mean "./helper.cjs"?',
  ),
  noName(
    "a relative import of nothing",
    { "tool.ts": importing("./gone") },
    "1:16",
    'It imports "./gone", which does not exist. Correct the path.',
  ),
  noName(
    "a name that package.json does not map",
    { "tool.ts": importing("#helper"), "package.json": "{}" },
    "1:16",
    'It imports "#helper", which "imports" in the nearest package.json does not define. Add it there, or correct the name.',
  ),
  noName(
    "a name that tsconfig.json does not map",
    { "tool.ts": importing("@/helper") },
    "1:16",
    'It imports "@/helper", which is neither a package nor mapped by "paths" in a tsconfig.json above the file. Correct the name, or add the mapping.',
  ),
  noName(
    "a specifier of another runtime",
    { "tool.ts": importing("jsr:@std/path") },
    "1:16",
    'It imports "jsr:@std/path". Imports of "jsr:" are not supported: install the package, and import it by its name.',
  ),
  noName(
    "a missing package",
    { ".toolwright/tools/tool.ts": importing("left-pad") },
    "1:16",
    'It imports the package "left-pad", which is not installed. To install it, run: npm install --prefix ROOT/.toolwright left-pad',
  ),
  noName(
    "a missing package beside a package.json, in a folder with a space",
    { "my project/.opencode/tool/tool.ts": importing("left-pad"), "my project/.opencode/package.json": "{}" },
    "1:16",
    "It imports the package \"left-pad\", which is not installed. To install it, run: npm install --prefix 'ROOT/my project/.opencode' left-pad",
  ),
  noName(
    "a missing package in a project of pnpm",
    { ".toolwright/tools/tool.ts": importing("left-pad"), "package.json": "{}", "pnpm-lock.yaml": "" },
    "1:16",
    'It imports the package "left-pad", which is not installed. To install it, run: pnpm --dir ROOT add left-pad',
  ),
  noName(
    "a missing package in a project of Bun",
    { ".toolwright/tools/tool.ts": importing("@scope/pad/left"), "package.json": "{}", "bun.lock": "" },
    "1:16",
    'It imports the package "@scope/pad", which is not installed. To install it, run: bun add --cwd ROOT @scope/pad',
  ),
  noName(
    "a required package in a module",
    { "tools/tool.ts": 'const pad = require("left-pad");\nexport default pad;\n' },
    "1:22",
    'It imports the package "left-pad", which is not installed. To install it, run: npm install --prefix ROOT left-pad',
  ),
  noName(
    "a required package in CommonJS",
    { "tools/tool.cjs": 'const pad = require("left-pad");\nmodule.exports = pad;\n' },
    "1:22",
    'It imports the package "left-pad", which is not installed. To install it, run: npm install --prefix ROOT left-pad',
  ),
  noName(
    "all missing packages at once, without types, functions and what is optional",
    {
      "tools/tool.ts": `import type { Shape } from "only-types";
import { a } from "first";
import b from "second/part";
import { c } from "./lib/c.ts";
export default (x: Shape) => [a, b, c, x, () => import("later")];
`,
      "tools/lib/c.ts": `import third from "third";
import a from "first";
export const c = [third, a];
`,
    },
    "2:20",
    'It and its imports import packages that are not installed: "first", "second", "third". To install them, run: npm install --prefix ROOT first second third',
  ),
  {
    title: "a package that only an import imports",
    files: {
      "tools/tool.ts": 'import { c } from "./lib/c.ts";\nexport default c;\n',
      "tools/lib/c.ts": 'import third from "third";\nexport const c = third;\n',
    },
    code: "import_failed",
    message:
      'lib/c.ts:1:20, which it imports, imports the package "third", which is not installed. To install it, run: npm install --prefix ROOT third',
  },
  noName(
    "several mistakes at once",
    { "tools/tool.ts": 'import a from "left-pad";\nimport b from "zodd";\nexport default [a, b];\n' },
    "1:16",
    'It imports "zodd", which does not exist. Did you mean "zod"?\nIt imports the package "left-pad", which is not installed. To install it, run: npm install --prefix ROOT left-pad',
  ),
  {
    title: "a dependency of an installed package",
    files: {
      "tool.ts": importing("outer"),
      "node_modules/outer/index.js": 'require("inner-one");\n',
      "node_modules/outer/package.json": '{ "name": "outer" }',
    },
    code: "import_failed",
    message:
      'The package "outer" imports the package "inner-one", which is not installed. To install it, run: npm install --prefix ROOT inner-one',
  },
  noName(
    "a path that a package does not export",
    {
      "tool.ts": importing("pkg/parts"),
      "node_modules/pkg/package.json":
        '{ "exports": { ".": "./a.js", "./part": "./b.js", "./package.json": "./package.json" } }',
      "node_modules/pkg/a.js": "",
      "node_modules/pkg/b.js": "",
    },
    "1:16",
    'It imports "pkg/parts", which the package "pkg" does not export. Did you mean "pkg/part"?',
  ),
  noName(
    "a path that resembles none that a package exports",
    {
      "tool.ts": importing("pkg/internal"),
      "node_modules/pkg/package.json": '{ "exports": { ".": "./a.js", "./part": "./a.js" } }',
      "node_modules/pkg/a.js": "",
    },
    "1:16",
    'It imports "pkg/internal", which the package "pkg" does not export. It exports "pkg", "pkg/part".',
  ),
  noName(
    "a path that a package of ours does not export",
    { "tool.ts": importing("zod/v44") },
    "1:16",
    'It imports "zod/v44", which the package "zod" does not export. It exports "zod", "zod/mini", "zod/compile", "zod/locales", "zod/v3", "zod/v4", "zod/v4-mini", "zod/v4/mini" and 2 more.',
  ),
  noName(
    "a file that a package does not have",
    {
      "tool.ts": importing("pkg/lib/partt.js"),
      "node_modules/pkg/package.json": "{}",
      "node_modules/pkg/lib/part.js": "",
    },
    "1:16",
    'It imports "pkg/lib/partt.js", but the package "pkg" has no such file. Did you mean "pkg/lib/part.js"?',
  ),
  noName(
    "a package without its main file",
    { "tool.ts": importing("pkg"), "node_modules/pkg/package.json": '{ "main": "dist/index.js" }' },
    "1:16",
    'It imports "pkg", which is installed but lacks the file ROOT/node_modules/pkg/dist/index.js. Build the package, or install it again: npm install --prefix ROOT pkg',
  ),
  noName(
    "a package that contains only types",
    { "tool.ts": importing("pkg"), "node_modules/pkg/package.json": '{ "types": "index.d.ts" }' },
    "1:16",
    'It imports "pkg", which contains only types. Write: import type { … } from "pkg".',
  ),
];

/** Mistakes in imported names. */
const NAMES: readonly Mistake[] = [
  noName(
    "a name of toolwright",
    { "tool.ts": 'import { tol } from "toolwright";\nexport default tol({});\n' },
    "1:10",
    'It imports { tol } from "toolwright", which has no such export. Did you mean "tool" or "Tool"?',
  ),
  noName(
    "a name of @opencode-ai/plugin, beside another",
    { "tool.ts": 'import {\n  tool,\n  Tooll as T,\n} from "@opencode-ai/plugin";\nexport default tool(T);\n' },
    "3:3",
    'It imports { Tooll } from "@opencode-ai/plugin", which has no such export. Did you mean "Tool" or "tool"?',
  ),
  noName(
    "a name of zod",
    { "tool.ts": 'import { objekt } from "zod";\nexport default objekt({});\n' },
    "1:10",
    'It imports { objekt } from "zod", which has no such export. Did you mean "object"?',
  ),
  noName(
    "a name of a module of Node",
    { "tool.ts": 'import { readfile } from "node:fs/promises";\nexport default readfile;\n' },
    "1:10",
    'It imports { readfile } from "node:fs/promises", which has no such export. Did you mean "readFile"?',
  ),
  noName(
    "a name of a sibling",
    {
      "tool.ts": 'import { helpr } from "./helper.ts";\nexport default helpr();\n',
      "helper.ts": 'export * from "./inner.ts";\nconst a = 1, b = 2;\nexport { a, b as beta };\n',
      "inner.ts": "export async function helper() {}\n",
    },
    "1:10",
    'It imports { helpr } from "./helper.ts", which has no such export. Did you mean "helper"?',
  ),
  noName(
    "a name that resembles none of a sibling",
    {
      "tool.ts": 'import { zebra } from "./helper";\nexport default zebra();\n',
      "helper.ts": "export const a = 1;\nexport class B {}\nexport default 1;\n",
    },
    "1:10",
    'It imports { zebra } from "./helper", which has no such export. It exports a, B.',
  ),
  noName(
    "a name of an installed package",
    {
      "tool.ts": 'import { chunks } from "pkg";\nexport default chunks;\n',
      "node_modules/pkg/package.json": '{ "type": "module", "exports": "./index.js" }',
      "node_modules/pkg/index.js": "export const chunk = 1;\n",
    },
    "1:10",
    'It imports { chunks } from "pkg", which has no such export. Did you mean "chunk"?',
  ),
  noName(
    "a name of a CommonJS package",
    {
      "tool.ts": 'import { chunks } from "pkg";\nexport default chunks;\n',
      "node_modules/pkg/index.js": "exports.chunk = 1;\nexports.other = 2;\n",
    },
    "1:10",
    'It imports { chunks } from "pkg", which has no such export. Did you mean "chunk"?',
  ),
  {
    title: "a name that a CommonJS package may have at run time",
    files: {
      "tool.ts": 'import { wizard } from "pkg";\nexport default wizard;\n',
      "node_modules/pkg/index.js": "module.exports = make();\nfunction make() { return { wizard: 1 }; }\n",
    },
    code: "import_failed",
    at: "1:10",
    message:
      'It imports { wizard } from "pkg", which has no such export. The module is CommonJS: if it has this name at run time, write import module from "pkg"; const { wizard } = module;',
    bun: "loads",
  },
  {
    title: "a name that the object of a CommonJS module has, but Node does not find",
    files: {
      "tool.ts": 'import { parse } from "./lib.js";\nexport default parse;\n',
      "lib.js": "module.exports = { [Symbol.iterator]: 1, parse: 2 };\n",
    },
    code: "import_failed",
    at: "1:10",
    message:
      'It imports { parse } from "./lib.js", a CommonJS module of which Node finds only some names. Write: import module from "./lib.js"; const { parse } = module;',
    bun: "loads",
  },
  noName(
    "a function that is only declared",
    {
      "tool.ts": 'import { parse } from "./lib.ts";\nexport default parse;\n',
      "lib.ts": "export declare function parse(text: string): string;\nexport const other = 1;\n",
    },
    "1:10",
    'It imports { parse } from "./lib.ts", which only declares it. There, remove "declare" and write its value, or here, write: import type { parse } from "./lib.ts".',
  ),
  noName(
    "a name that a file declares for another module",
    {
      "tool.ts": 'import { parse } from "./lib.ts";\nexport default parse;\n',
      "lib.ts": 'declare module "other" {\n  export const parse: number;\n}\nexport const other = 1;\n',
    },
    "1:10",
    'It imports { parse } from "./lib.ts", whose text has this name, but exports no value of it. There, write: export { parse };',
  ),
  {
    title: "a name that another folder has under the same specifier",
    files: {
      "tool.ts": 'import { parse } from "./lib.ts";\nimport "./inner/user.ts";\nexport default parse;\n',
      "lib.ts": "export const parse = 1;\n",
      "inner/user.ts": 'import { parse } from "./lib.ts";\nconsole.log(parse);\n',
      "inner/lib.ts": "export const parser = 1;\n",
    },
    code: "import_failed",
    message:
      'inner/user.ts:1:10, which it imports, imports { parse } from "./lib.ts", which has no such export. Did you mean "parser"?',
  },
  noName(
    "a misspelt enum",
    {
      "tool.ts": 'import { Lvel } from "./lib.ts";\nexport default Lvel;\n',
      "lib.ts": "export const enum Level {\n  Low,\n}\n",
    },
    "1:10",
    'It imports { Lvel } from "./lib.ts", which has no such export. Did you mean "Level"?',
  ),
  {
    title: "a name that two files export to a third",
    files: {
      "tool.ts": 'import { parse } from "./lib.ts";\nexport default parse;\n',
      "lib.ts": 'export * from "./a.ts";\nexport * from "./b.ts";\n',
      "a.ts": "export const parse = 1;\n",
      "b.ts": "export const parse = 2;\n",
    },
    code: "import_failed",
    at: "1:10",
    message:
      'It imports { parse } from "./lib.ts", which has it from two files. There, name one: export { parse } from "./FILE".',
  },
  noName(
    "the default of a file whose default is a type",
    {
      "tool.ts": 'import Shape from "./types.ts";\nexport default Shape;\n',
      "types.ts": "export default interface Shape {}\nexport const one = 1;\n",
    },
    "1:8",
    'It imports the default of "./types.ts", which is a type. Write "import type" there.',
  ),
  noName(
    "the default of a sibling without one",
    { "tool.ts": 'import help from "./helper.ts";\nexport default help;\n', "helper.ts": "export const helper = 1;\n" },
    "1:8",
    'It imports the default of "./helper.ts", which has no default export. Use a name that it exports, as in import { helper }.',
  ),
  noName(
    "a type that is exported like a value",
    {
      "tool.ts": 'export { Shape } from "./types.ts";\nexport default 1;\n',
      "types.ts": "export interface Shape {}\n",
    },
    "1:10",
    'It exports { Shape } from "./types.ts", which is a type. Write: export type { Shape } from "./types.ts".',
  ),
  {
    title: "a name that an imported file imports",
    files: {
      "tool.ts": 'import { helper } from "./lib/helper.ts";\nexport default helper;\n',
      "lib/helper.ts": '\nimport { one } from "./deep.ts";\nexport const helper = one;\n',
      "lib/deep.ts": "export const on = 1;\n",
    },
    code: "import_failed",
    message:
      'lib/helper.ts:2:10, which it imports, imports { one } from "./deep.ts", which has no such export. Did you mean "on"?',
  },
];

const BROKEN = 'export default {\n  description: "Broken.",\n  x: ,\n};\n';
const BROKEN_FRAME = `  1 | export default {
  2 |   description: "Broken.",
> 3 |   x: ,
    |      ^
  4 | };`;

/** Syntax errors and errors at the top level of a file, or of a file that it imports. */
const BROKEN_FILES: readonly Mistake[] = [
  {
    title: "a syntax error in TypeScript",
    files: { "tool.ts": BROKEN },
    code: "syntax",
    at: "3:6",
    message: "Unexpected token. Correct it and save.",
    frame: BROKEN_FRAME,
    bun: { message: "Unexpected ,. Correct it and save." },
  },
  {
    title: "a syntax error in JavaScript",
    files: { "tool.mjs": BROKEN },
    code: "syntax",
    at: "3:6",
    message: "Unexpected token ','. Correct it and save.",
    frame: BROKEN_FRAME,
    bun: { message: "Unexpected ,. Correct it and save." },
  },
  {
    title: "a syntax error in CommonJS",
    files: { "tool.cjs": "module.exports = {\n  x: ,\n};\n" },
    code: "syntax",
    at: "2:6",
    message: "Unexpected token ','. Correct it and save.",
    frame: "  1 | module.exports = {\n> 2 |   x: ,\n    |      ^\n  3 | };",
    bun: { message: "Unexpected ,. Correct it and save." },
  },
  {
    title: "a syntax error in an imported file",
    files: { "tool.ts": 'import x from "./lib/broken.ts";\nexport default x;\n', "lib/broken.ts": BROKEN },
    code: "syntax",
    message: "lib/broken.ts:3:6, which it imports: Unexpected token. Correct it and save.",
    frame: BROKEN_FRAME,
    bun: { message: "lib/broken.ts:3:6, which it imports: Unexpected ,. Correct it and save." },
  },
  {
    title: "a syntax error in an imported JavaScript file",
    files: { "tool.ts": 'import x from "./lib/broken.js";\nexport default x;\n', "lib/broken.js": BROKEN },
    code: "syntax",
    message: "lib/broken.js:3:6, which it imports: Unexpected token ','. Correct it and save.",
    frame: BROKEN_FRAME,
    bun: { message: "lib/broken.js:3:6, which it imports: Unexpected ,. Correct it and save." },
  },
  {
    title: "a syntax error in an imported JSON file",
    files: { "tool.ts": 'import x from "./data.json";\nexport default x;\n', "data.json": '{\n  "a": 1,,\n}\n' },
    code: "syntax",
    message: "data.json:2:10, which it imports: Expected double-quoted property name in JSON. Correct it and save.",
    frame: '  1 | {\n> 2 |   "a": 1,,\n    |          ^\n  3 | }',
    bun: {
      message:
        "data.json, which it imports: JSON Parse error: Property name must be a string literal. Correct it and save.",
      frame: undefined,
    },
  },
  {
    title: "an error in an imported file",
    files: {
      "tool.ts": 'import { x } from "./lib/broken.ts";\nexport default x;\n',
      "lib/broken.ts": 'interface A {}\n\nexport const x: A = 1;\nthrow new Error("boom");\n',
    },
    code: "import_failed",
    message: "lib/broken.ts:4, which it imports, threw while it was imported: boom",
  },
  {
    title: "an error in a function of an imported file",
    files: {
      "tool.ts": 'import { make } from "./lib/make.ts";\n\nexport default make();\n',
      "lib/make.ts": "interface A {}\n\nexport function make(): A {\n  return nothing;\n}\n",
    },
    code: "import_failed",
    at: "3",
    message: "lib/make.ts:4, which it imports, threw while it was imported: nothing is not defined",
  },
  {
    title: "an error without a message",
    files: { "tool.ts": "interface A {}\n\nthrow new Error();\n" },
    code: "import_failed",
    at: "3",
    message: "It threw an error without a message while it was imported.",
  },
  {
    title: "undefined",
    files: { "tool.ts": "throw undefined;\n" },
    code: "import_failed",
    message: "It threw undefined while it was imported.",
  },
  {
    title: "an empty object",
    files: { "tool.ts": "throw {};\n" },
    code: "import_failed",
    message: "It threw an object without a message while it was imported.",
  },
];

export const MISTAKES: readonly Mistake[] = [...IMPORTS, ...NAMES, ...BROKEN_FILES];

/** Writes the files of each mistake into a folder. Returns the paths of the tool files. */
export function writeMistakes(root: string): string[] {
  return MISTAKES.map(({ files }, index) => {
    const folder = join(root, `mistake-${index}`);
    const paths = Object.entries(files).map(([path, text]) => put(join(folder, path), text));
    // The folders above the files are not searched for a package.json.
    put(join(folder, ".git/HEAD"), "");
    return paths[0] ?? dirname(folder);
  });
}

/** The problem that a mistake causes. */
export function expectedProblem(mistake: Mistake, root: string, runtime: "node" | "bun"): Omit<Problem, "file"> {
  const { code, message, at, frame } = { ...mistake, ...(runtime === "bun" ? (mistake.bun as object) : {}) };
  const folder = join(root, `mistake-${MISTAKES.indexOf(mistake)}`);
  const [line, column] = at?.split(":").map(Number) ?? [];
  return {
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    code,
    message: message.replaceAll("ROOT", folder),
    ...(frame === undefined ? {} : { frame }),
  };
}
