import { existsSync, readFileSync, realpathSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";
import { BUN_NOT_INSTALLED, type BunNeed, bunNeedOf, SourceProblem, UNRESOLVED } from "../core/source-problem.ts";
import { sourceMapOf, syntaxErrorOf } from "./transform.ts";
import { usesDecorators } from "./uses-decorators.ts";

/** Explains why an import failed, at which line, and what to do. `needsBun` is the advice for files that need Bun. */
export function explain(file: string, thrown: unknown, needsBun: string = BUN_NOT_INSTALLED): Problem {
  const need = bunNeedOf(thrown) ?? builtForBun(thrown);
  if (need)
    return at(file, need.file ?? throwingFile(thrown) ?? file, undefined, "needs_bun", `${need.reason} ${needsBun}`);
  const syntax = syntaxProblem(file, thrown);
  if (syntax) return at(file, syntax.file, syntax.line, "syntax", `${syntax.message}. Correct it and save.`);
  if (thrown instanceof SyntaxError && isLinkError(thrown)) {
    return at(file, file, lineOfImport(file, thrown), "import_failed", `${thrown.message}.`);
  }
  const place = placeOf(file, thrown);
  return at(file, place?.file ?? file, place?.line, "import_failed", reasonOf(thrown));
}

/** The bundler of Bun starts the files that it writes for Bun with this comment. */
const BUILT_FOR_BUN = /^(?:#!.*\n)?\/\/ @bun\b/;

/** Such files fail in Node with errors that do not name Bun. */
function builtForBun(thrown: unknown): BunNeed | undefined {
  if (IN_BUN || !(thrown instanceof TypeError || thrown instanceof ReferenceError)) return undefined;
  const file = throwingFile(thrown);
  return file && BUILT_FOR_BUN.test(readFileSync(file, "utf8"))
    ? { reason: 'It was built for Bun ("// @bun").', file }
    : undefined;
}

/** The file of the topmost stack frame. */
function throwingFile(thrown: unknown): string | undefined {
  const stack = thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : "";
  const place = /^\s+at (?:.*\()?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()\n]+):\d+:\d+\)?$/m.exec(stack)?.[1];
  const path = place?.startsWith("file:") ? fileURLToPath(place) : place;
  return path !== undefined && existsSync(path) ? path : undefined;
}

/**
 * Whether a failed import may succeed although none of its files has changed. "unresolved": a file may appear at an unknown
 * path. "threw": its code may depend on anything. Undefined if only a change of its files can help.
 */
export function transientFailure(thrown: unknown, { code }: Problem): "unresolved" | "threw" | undefined {
  if (code !== "import_failed" || (thrown instanceof SyntaxError && isLinkError(thrown))) return undefined;
  if (!(thrown instanceof Error && UNRESOLVED in thrown)) return "threw";
  return thrown[UNRESOLVED] === true ? undefined : "unresolved";
}

function at(file: string, where: string, line: number | undefined, code: Problem["code"], message: string): Problem {
  const inside = sameFile(file, where);
  const elsewhere = inside ? "" : `${relative(dirname(file), where)}${line === undefined ? "" : `:${line}`}: `;
  return { file, ...(inside && line !== undefined ? { line } : {}), code, message: `${elsewhere}${message}` };
}

function syntaxProblem(file: string, thrown: unknown): { file: string; line?: number; message: string } | undefined {
  if (thrown instanceof SourceProblem) {
    return { file: thrown.file, message: thrown.message, ...(thrown.line === undefined ? {} : { line: thrown.line }) };
  }
  if (!(thrown instanceof SyntaxError) || isLinkError(thrown) || IN_BUN) return undefined;
  const found = syntaxErrorOf(file, readFileSync(file, "utf8"));
  if (!found) return undefined;
  return { file, message: thrown.message, ...(found.line === undefined ? {} : { line: found.line }) };
}

/** Bun reports the position of syntax errors itself. */
const IN_BUN: boolean = process.versions.bun !== undefined;

/** Node throws a SyntaxError for a missing export, although all files parse. */
function isLinkError(error: SyntaxError): boolean {
  return error.message.startsWith("The requested module");
}

function reasonOf(thrown: unknown): string {
  const missing = /^Cannot find package '([^']+)'/.exec(messageOf(thrown))?.[1];
  if (missing)
    return `It imports the package "${missing}", which is not installed. Install it in the folder of the file or in a folder above it.`;
  const absent = /^Cannot find module '([^']+)'/.exec(messageOf(thrown))?.[1];
  if (absent) return `It imports "${absent}", which does not exist. Correct the path.`;
  return `It threw while it was imported: ${messageOf(thrown)}`;
}

/** The line of the import whose export is missing. */
function lineOfImport(file: string, error: SyntaxError): number | undefined {
  const specifier = /^The requested module '([^']+)'/.exec(error.message)?.[1];
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => text.includes(`"${specifier}"`) || text.includes(`'${specifier}'`));
  return line < 0 ? undefined : line + 1;
}

/** The topmost stack frame in the file, as a line of the source. */
function placeOf(file: string, thrown: unknown): { file: string; line: number } | undefined {
  if (!(thrown instanceof Error) || typeof thrown.stack !== "string") return undefined;
  const path = realpathSync(file);
  const name = IN_BUN ? path : pathToFileURL(path).href;
  const start = thrown.stack.indexOf(`${name}:`);
  const position = start < 0 ? null : /^:(\d+)(?::(\d+))?/.exec(thrown.stack.slice(start + name.length));
  if (!position) return undefined;
  return { file, line: authorsLine(file, Number(position[1]), Number(position[2] ?? 1)) };
}

/** Source maps are created only for a file that failed, to keep imports fast. */
function authorsLine(file: string, line: number, column: number): number {
  const source = readFileSync(file, "utf8");
  if (IN_BUN && !usesDecorators(source)) return line;
  const map = sourceMapOf(file, source);
  if (!map) return line;
  const entry = new SourceMap(map as unknown as SourceMapPayload).findEntry(line - 1, column - 1);
  return "originalLine" in entry ? entry.originalLine + 1 : line;
}

function sameFile(a: string, b: string): boolean {
  return a === b || realpathSync(a) === realpathSync(b);
}
