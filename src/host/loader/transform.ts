import { createRequire } from "node:module";
import { extname } from "node:path";
import type { TransformOptions, TransformResult } from "oxc-transform";
import { type Position, positionAt } from "../../platform/text/code-frame.ts";
import { SourceProblem } from "../protocol/source-problem.ts";

const require = createRequire(import.meta.url);
/** Loaded for the first file that needs it. */
let oxc: typeof import("oxc-transform") | undefined;

const TYPESCRIPT = new Set([".ts", ".mts", ".cts"]);

/** The source that Node gets for an author's file. */
export interface Transformed {
  readonly format: "module" | "commonjs";
  readonly source: string;
}

/** Compiles an author's file for Node. In a module, `require`, `__dirname` and Bun's `import.meta` fields work too. */
export function transform(file: string, source: string): Transformed {
  const format = formatOf(file, source);
  const code = isTypeScript(file) ? run(file, source, format, false).code : source;
  return { format, source: format === "module" ? withMoreNames(withModuleExports(withAttributes(code))) : code };
}

/** The first syntax error of a file, with its position; undefined if there is none. */
export function syntaxErrorOf(file: string, source: string): SourceProblem | undefined {
  try {
    run(file, source, formatOf(file, source), false);
    return undefined;
  } catch (problem) {
    return problem instanceof SourceProblem ? problem : undefined;
  }
}

/** The source map of the result of `transform`; undefined for JavaScript. */
export function sourceMapOf(file: string, source: string): TransformResult["map"] {
  if (!isTypeScript(file)) return undefined;
  return run(file, source, formatOf(file, source), true).map;
}

function isTypeScript(file: string): boolean {
  return TYPESCRIPT.has(extname(file));
}

function run(file: string, source: string, format: Transformed["format"], sourcemap: boolean): TransformResult {
  oxc ??= require("oxc-transform") as typeof import("oxc-transform");
  const options: TransformOptions = {
    lang: isTypeScript(file) ? "ts" : "js",
    sourceType: format === "commonjs" ? "commonjs" : "module",
    target: `node${process.versions.node.split(".", 1)[0]}`,
    decorator: { legacy: true },
    sourcemap,
  };
  const result = oxc.transformSync(file, source, options);
  const [first] = result.errors;
  if (first) throw new SourceProblem(file, positionOf(source, first.labels[0]?.start), first.message);
  return result;
}

function positionOf(source: string, offset: number | undefined): Position | undefined {
  return offset === undefined ? undefined : positionAt(source, offset);
}

const MODULE_SYNTAX = /(?:^|[;}])\s*(?:import\b(?!\s*\()|export\b)|\bimport\.meta\b|^await\b/m;
const EXPORT_ASSIGNMENT = /(?:^|[;}])\s*export\s*=/m;
/** Strings and comments. */
const NOT_CODE = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/.*/g;
const COMMONJS_EXPORTS = /\bmodule\.exports\b|\bexports\.\w/;
const COMMONJS_SYNTAX = /\bmodule\.exports\b|\bexports\.\w|\brequire\s*\(/;

/** The format by extension or syntax. The `type` in a package.json is ignored for tool files. */
function formatOf(file: string, source: string): Transformed["format"] {
  const extension = extname(file);
  if (extension === ".mts" || extension === ".mjs") return "module";
  if (extension === ".cts" || extension === ".cjs") return "commonjs";
  if (EXPORT_ASSIGNMENT.test(source)) return "commonjs";
  // If both syntaxes occur, strings and comments do not count.
  const code = COMMONJS_EXPORTS.test(source) ? source.replace(NOT_CODE, "``") : source;
  if (MODULE_SYNTAX.test(code)) return "module";
  return COMMONJS_SYNTAX.test(source) ? "commonjs" : "module";
}

/** Replaces `assert { type: "json" }`, the former syntax, which Node no longer supports, by `with`. */
function withAttributes(code: string): string {
  return code.replace(/(\bfrom\s*(["'])[^"'\n]+\2\s*)assert(?=\s*\{)/g, "$1with");
}

const EXPORT = /(?:^|[;}])\s*export\b(?!\s*\{\s*\})/m;

/** A file that imports as a module does, and exports as CommonJS does: other loaders of TypeScript allow both. */
function withModuleExports(code: string): string {
  if (!code.includes("module.exports")) return code;
  const plain = code.replace(NOT_CODE, "``");
  if (!/\bmodule\.exports\s*=/.test(plain) || EXPORT.test(plain)) return code;
  const head = "const module = { exports: {} };";
  return `${head} ${code.startsWith("#!") ? `//${code}` : code}\nexport default module.exports;`;
}

/** Prepends on the first line, so that no line number changes. A leading `#!` line must stay first. */
function withMoreNames(code: string): string {
  const head = [
    uses(code, "require", /\brequire\s*[.(]/) &&
      'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    uses(code, "__dirname", /\b__dirname\b/) && "const __dirname = import.meta.dirname;",
    uses(code, "__filename", /\b__filename\b/) && "const __filename = import.meta.filename;",
    ...BUN_META.map(([use, name]) => use.test(code) && name),
  ].filter(Boolean);
  if (head.length === 0) return code;
  return `${head.join(" ")} ${code.startsWith("#!") ? `//${code}` : code}`;
}

/** Fields of Bun's `import.meta` that Node lacks. Many files use no other feature of Bun. */
const BUN_META: readonly (readonly [RegExp, string])[] = [
  [/\bimport\.meta\.dir\b/, "import.meta.dir ??= import.meta.dirname;"],
  [/\bimport\.meta\.path\b/, "import.meta.path ??= import.meta.filename;"],
  [/\bimport\.meta\.file\b/, "import.meta.file ??= import.meta.filename.split(/[\\\\/]/).at(-1);"],
  [/\bimport\.meta\.env\b/, "import.meta.env ??= process.env;"],
];

function uses(code: string, name: string, use: RegExp): boolean {
  const declared = `\\b(?:const|let|var|function|class)\\s+${name}\\b|\\b${name}\\s*=[^=>]|\\b(?:const|let|var|import)\\s*\\{[^}]*\\b${name}\\b`;
  return use.test(code) && !new RegExp(declared).test(code);
}
