import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { put } from "./temporary.ts";

/** Packages that a tool file imports, as they are published or linked: the loaders of both runtimes must load them alike. */
export interface PackageCase {
  readonly title: string;
  /** File contents by path in the project. */
  readonly files: Readonly<Record<string, string>>;
  /** The text of the tool file. */
  readonly main: string;
  /** Its default export. */
  readonly value: unknown;
  /** A link in the project, and its target there. */
  readonly link?: readonly [from: string, to: string];
}

const manifest = (fields: object): string => JSON.stringify({ name: "pkg", version: "1.0.0", ...fields });
const ENUM = "enum Level { Low = 3 }";

/** Packages with TypeScript in node_modules. */
export const TYPESCRIPT_PACKAGES: readonly PackageCase[] = [
  {
    title: "main is a .ts file",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "src/index.ts" }),
      "node_modules/pkg/src/index.ts": `${ENUM} export const value: number = Level.Low;`,
    },
    main: 'import { value } from "pkg"; export default value;',
    value: 3,
  },
  {
    title: "exports name .ts files, also of a scoped package and a sub-path",
    files: {
      "node_modules/@scope/pkg/package.json": manifest({
        name: "@scope/pkg",
        exports: { ".": "./index.ts", "./sub": { import: "./sub.mts", require: "./sub.cts" } },
      }),
      "node_modules/@scope/pkg/index.ts": "export const value: number = 1;",
      "node_modules/@scope/pkg/sub.mts": 'export const how: string = "import";',
      "node_modules/@scope/pkg/sub.cts": 'const how: string = "require"; exports.how = how;',
    },
    main: `import { value } from "@scope/pkg"; import { how } from "@scope/pkg/sub";
      import { createRequire } from "node:module";
      export default [value, how, createRequire(import.meta.url)("@scope/pkg/sub").how];`,
    value: [1, "import", "require"],
  },
  {
    title: "relative imports without extension, as .js for .ts, of folders, of JSON and of text",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "src/index.ts" }),
      "node_modules/pkg/src/index.ts": `import { a } from "./a"; import { b } from "./b.js"; import { c } from "./c";
        import own from "../package.json"; import note from "./note.txt";
        export const value = [a, b, c, own.version, note];`,
      "node_modules/pkg/src/a.ts": "export const a: number = 1;",
      "node_modules/pkg/src/b.ts": "export const b: number = 2;",
      "node_modules/pkg/src/c/index.ts": "export const c: number = 3;",
      "node_modules/pkg/src/note.txt": "a note",
    },
    main: 'import { value } from "pkg"; export default value;',
    value: [1, 2, 3, "1.0.0", "a note"],
  },
  {
    title: "a CommonJS package whose code is TypeScript",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "commonjs", main: "index.ts" }),
      "node_modules/pkg/index.ts": `${ENUM} const { b } = require("./b"); module.exports = { value: Level.Low + b };`,
      "node_modules/pkg/b.ts": "const b: number = 4; exports.b = b;",
    },
    main: 'import { createRequire } from "node:module"; export default createRequire(import.meta.url)("pkg").value;',
    value: 7,
  },
  {
    title: "a CommonJS package with import syntax",
    files: {
      "node_modules/pkg/package.json": manifest({ main: "index.ts" }),
      "node_modules/pkg/index.ts": 'import { b } from "./b"; export const value: number = b;',
      "node_modules/pkg/b.ts": "export const b: number = 4;",
    },
    main: 'import { value } from "pkg"; export default value;',
    value: 4,
  },
  {
    title: "no main, and an index.ts",
    files: {
      "node_modules/pkg/package.json": manifest({}),
      "node_modules/pkg/index.ts": "export const value: number = 5;",
    },
    main: 'import { value } from "pkg"; export default value;',
    value: 5,
  },
  {
    title: "a JavaScript package that imports one in TypeScript",
    files: {
      "node_modules/outer/package.json": manifest({ name: "outer", type: "module", main: "index.js" }),
      "node_modules/outer/index.js": 'export { value } from "pkg";',
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.ts" }),
      "node_modules/pkg/index.ts": `${ENUM} import { b } from "./b.js"; export const value: number = Level.Low + b;`,
      "node_modules/pkg/b.ts": "export const b: number = 1;",
    },
    main: 'import { value } from "outer"; export default value;',
    value: 4,
  },
  {
    title: "a JavaScript package that requires one in TypeScript",
    files: {
      "node_modules/outer/package.json": manifest({ name: "outer", main: "index.js" }),
      "node_modules/outer/index.js": 'exports.value = require("pkg").value;',
      "node_modules/pkg/package.json": manifest({ main: "src/index" }),
      "node_modules/pkg/src/index.ts": `${ENUM} export const value: number = Level.Low;`,
    },
    main: 'import { createRequire } from "node:module"; export default createRequire(import.meta.url)("outer").value;',
    value: 3,
  },
  {
    title: "a dynamic import at load time, and one later",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.ts" }),
      "node_modules/pkg/index.ts":
        'const { b } = await import("./b"); export const value: number = b; export const later = () => import("./c.js");',
      "node_modules/pkg/b.ts": "export const b: number = 1;",
      "node_modules/pkg/c.ts": "export const c: number = 2;",
    },
    main: 'import { value, later } from "pkg"; export default [value, (await later()).c];',
    value: [1, 2],
  },
  {
    title: "the folders of pnpm, with links",
    files: {
      "node_modules/.pnpm/pkg@1.0.0/node_modules/pkg/package.json": manifest({ type: "module", main: "index.ts" }),
      "node_modules/.pnpm/pkg@1.0.0/node_modules/pkg/index.ts":
        'import { dep } from "dep"; export const value: number = dep;',
      "node_modules/.pnpm/pkg@1.0.0/node_modules/dep/package.json": manifest({ name: "dep", main: "index.ts" }),
      "node_modules/.pnpm/pkg@1.0.0/node_modules/dep/index.ts": "export const dep: number = 8;",
    },
    link: ["node_modules/pkg", "node_modules/.pnpm/pkg@1.0.0/node_modules/pkg"],
    main: 'import { value } from "pkg"; export default value;',
    value: 8,
  },
];

/** Our stand-ins, by what a package imports: a name of each, and a sub-path. */
const STAND_INS: readonly (readonly [specifier: string, name: string])[] = [
  ["toolwright", "tool"],
  ["@opencode-ai/plugin", "tool"],
  ["@opencode-ai/plugin/tool", "tool"],
  ["zod", "z"],
  ["zod/v4", "z"],
  ["typebox", "Type"],
  ["@sinclair/typebox", "Type"],
  ["@sinclair/typebox/value", "Value"],
  ["@earendil-works/pi-ai", "StringEnum"],
  ["@mariozechner/pi-coding-agent", "truncateHead"],
];

const PEER = { peerDependencies: { zod: "*", typebox: "*" } };

/** Packages that import what is not installed, and what comes with Toolwright. */
export const PEER_PACKAGES: readonly PackageCase[] = [
  ...STAND_INS.flatMap(([specifier, name]) => peerCases(specifier, name)),
  {
    title: "a package of a package",
    files: {
      "node_modules/outer/package.json": manifest({ name: "outer", type: "module", main: "index.js" }),
      "node_modules/outer/index.js": 'export { kind } from "pkg/lib/kind.js";',
      "node_modules/pkg/package.json": manifest({ type: "module", ...PEER }),
      "node_modules/pkg/lib/kind.js": 'import { Type } from "typebox"; export const kind = Type.String().type;',
    },
    main: 'import { kind } from "outer"; export default kind;',
    value: "string",
  },
  {
    title: "an installed package wins",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.js", ...PEER }),
      "node_modules/pkg/index.js": 'import { z } from "zod"; export { z };',
      "node_modules/pkg/node_modules/zod/package.json": manifest({ name: "zod", main: "index.js" }),
      "node_modules/pkg/node_modules/zod/index.js": 'exports.z = "their own";',
    },
    main: 'import { z as mine } from "zod"; import { z } from "pkg"; export default [typeof mine.string, z];',
    value: ["function", "their own"],
  },
  {
    title: "a name that only the real package of pi exports",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.ts" }),
      "node_modules/pkg/index.ts":
        'import { StringEnum, brandNew } from "@earendil-works/pi-ai"; export const value = [StringEnum(["a"]).enum, typeof brandNew];',
    },
    main: 'import { value } from "pkg"; export default value;',
    value: [["a"], "function"],
  },
  {
    title: "the same name, in JavaScript",
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.js" }),
      "node_modules/pkg/index.js":
        'import { StringEnum, brandNew } from "@earendil-works/pi-ai"; export const value = [StringEnum(["a"]).enum, typeof brandNew];',
    },
    main: 'import { value } from "pkg"; export default value;',
    value: [["a"], "function"],
  },
  {
    title: "extensions of Copilot get our version, even if the real one is installed",
    files: {
      "node_modules/@github/copilot-sdk/package.json": manifest({
        name: "@github/copilot-sdk",
        exports: { ".": "./index.js", "./extension": "./extension.js" },
      }),
      "node_modules/@github/copilot-sdk/index.js": 'exports.approveAll = "their own";',
      "node_modules/@github/copilot-sdk/extension.js": 'throw new Error("only in Copilot CLI");',
    },
    main: `import { approveAll } from "@github/copilot-sdk"; import { brandNew, joinSession } from "@github/copilot-sdk/extension";
      const session = await joinSession({ tools: [] }); export default [approveAll, typeof session.log, typeof brandNew];`,
    value: ["their own", "function", "function"],
  },
  {
    title: "extensions of Copilot need no installation",
    files: {},
    main: `import { approveAll, CopilotClient, defineTool } from "@github/copilot-sdk";
      export default [typeof approveAll, typeof CopilotClient, defineTool("a", { description: "b" }).name];`,
    value: ["function", "function", "a"],
  },
  {
    title: "a package that works without it keeps working",
    files: {
      "node_modules/pkg/package.json": manifest({ main: "index.js" }),
      "node_modules/pkg/index.js":
        'let found = "none"; try { require("not-installed"); } catch (error) { found = error.code; } exports.found = found;',
    },
    main: 'import pkg from "pkg"; export default pkg.found;',
    value: "MODULE_NOT_FOUND",
  },
];

function peerCases(specifier: string, name: string): PackageCase[] {
  const of = (title: string, type: string, file: string, code: string): PackageCase => ({
    title: `${specifier}: ${title}`,
    files: {
      "node_modules/pkg/package.json": manifest({ type, main: file, ...PEER }),
      [`node_modules/pkg/${file}`]: code,
    },
    main: 'import * as pkg from "pkg"; export default typeof (await (pkg.load ?? pkg.default?.load)());',
    value: typeOf(name),
  });
  return [
    of(
      "import",
      "module",
      "index.js",
      `import { ${name} } from "${specifier}"; export const load = async () => ${name};`,
    ),
    of(
      "dynamic import",
      "module",
      "index.js",
      `export const load = async () => (await import("${specifier}")).${name};`,
    ),
    of(
      "require",
      "commonjs",
      "index.js",
      `const { ${name} } = require("${specifier}"); exports.load = async () => ${name};`,
    ),
    of(
      "import in TypeScript",
      "module",
      "index.ts",
      `import { ${name} } from "${specifier}"; export const load = async (): Promise<unknown> => ${name};`,
    ),
  ];
}

/** The type of a name. */
function typeOf(name: string): string {
  return name === "z" || name === "Type" || name === "Value" ? "object" : "function";
}

/** A package that needs Bun. */
export interface BunCase extends PackageCase {
  /** The message of the problem under Node, or the value if Bun is not needed. */
  readonly inNode: string;
}

/** Packages that need Bun when they are imported; the last ones can do without. */
export const BUN_PACKAGES: readonly BunCase[] = [
  bunCase("a static import of bun", 'import { version } from "bun"; export const value = typeof version;', {
    inNode: 'node_modules/pkg/index.js: It imports "bun". NEEDS_BUN',
  }),
  bunCase(
    "a static import of bun:sqlite",
    'import { Database } from "bun:sqlite"; export const value = typeof Database.name;',
    { inNode: 'node_modules/pkg/index.js: It imports "bun:sqlite". NEEDS_BUN' },
  ),
  bunCase("a dynamic import of bun:ffi", 'export const value = typeof (await import("bun:ffi")).suffix;', {
    inNode: 'node_modules/pkg/index.js: It imports "bun:ffi". NEEDS_BUN',
  }),
  bunCase("a require of bun:sqlite", 'exports.value = typeof require("bun:sqlite").Database.name;', {
    type: "commonjs",
    inNode: 'node_modules/pkg/index.js: It imports "bun:sqlite". NEEDS_BUN',
  }),
  bunCase("a use of Bun at the top", "export const value = typeof Bun.version;", {
    inNode: 'node_modules/pkg/index.js: It uses "Bun". NEEDS_BUN',
  }),
  bunCase(
    "an import as the bundler of Bun writes it",
    "// @bun\nvar { version } = globalThis.Bun; export const value = typeof version;",
    {
      inNode: 'node_modules/pkg/index.js: It uses "globalThis.Bun". NEEDS_BUN',
    },
  ),
  bunCase(
    "a require as the bundler of Bun writes it",
    '// @bun\nvar __require = import.meta.require; export const value = typeof __require("node:path").sep;',
    { inNode: 'node_modules/pkg/index.js: It was built for Bun ("// @bun"). NEEDS_BUN' },
  ),
  bunCase(
    "an error with that cause",
    'try { await import("bun:sqlite") } catch (cause) { throw new Error("no database", { cause }) } export const value = "string";',
    { inNode: 'node_modules/pkg/index.js: It imports "bun:sqlite". NEEDS_BUN' },
  ),
  {
    ...bunCase("TypeScript that uses Bun in a function", "", { inNode: "" }),
    files: {
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.ts" }),
      "node_modules/pkg/index.ts": "const version = (): string => Bun.version; export const value = typeof version();",
    },
    inNode: 'node_modules/pkg/index.ts: It uses "Bun.version". NEEDS_BUN',
  },
  {
    ...bunCase("a package of a package", "", { inNode: "" }),
    files: {
      "node_modules/outer/package.json": manifest({ name: "outer", type: "module", main: "index.js" }),
      "node_modules/outer/index.js": 'export { value } from "pkg";',
      "node_modules/pkg/package.json": manifest({ type: "module", main: "index.js" }),
      "node_modules/pkg/index.js": 'import { $ } from "bun"; export const value = typeof $.name;',
    },
    main: 'import { value } from "outer"; export default value;',
    inNode: 'node_modules/pkg/index.js: It imports "bun". NEEDS_BUN',
  },
  bunCase(
    "a package that catches the error",
    'let value = "string"; try { await import("bun:sqlite"); } catch (error) { value = error.code; } export { value };',
    { inNode: "MODULE_NOT_FOUND" },
  ),
  bunCase(
    "a package that checks for Bun",
    'export const value = typeof Bun === "undefined" ? "in Node" : typeof (await import("bun:sqlite")).Database.name;',
    { inNode: "in Node" },
  ),
];

/** Under Bun, the value of each is "string". */
function bunCase(
  title: string,
  code: string,
  { type = "module", inNode }: { readonly type?: string; readonly inNode: string },
): BunCase {
  return {
    title,
    files: {
      "node_modules/pkg/package.json": manifest({ type, main: "index.js" }),
      "node_modules/pkg/index.js": code,
    },
    main: 'import { value } from "pkg"; export default value;',
    value: "string",
    inNode,
  };
}

/** Writes a case to a folder. Returns the path of its tool file. */
export function putPackage(folder: string, { files, link, main }: PackageCase): string {
  for (const [path, text] of Object.entries(files)) put(join(folder, path), text);
  if (link) {
    mkdirSync(dirname(join(folder, link[0])), { recursive: true });
    symlinkSync(join(folder, link[1]), join(folder, link[0]));
  }
  return put(join(folder, "main.ts"), main);
}
