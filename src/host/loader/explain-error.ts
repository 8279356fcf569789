import { realpathSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { textOrEmpty } from "../../platform/files/text-or-empty.ts";
import { codeFrame, type Position } from "../../platform/text/code-frame.ts";
import { textOfThrown } from "../../platform/text/thrown-text.ts";
import {
  BUN_NOT_INSTALLED,
  type BunNeed,
  bunNeedOf,
  ExitWhileReading,
  SourceProblem,
  UNRESOLVED,
  type UnresolvedImport,
} from "../protocol/source-problem.ts";
import { authorFiles } from "./author-files.ts";
import { explainMissingExport, type MissingExport, missingExportIn } from "./missing-export.ts";
import { explainMissingImports } from "./missing-imports.ts";
import { placesOf, throwingFile } from "./thrown-place.ts";
import { syntaxErrorOf } from "./transform.ts";

/** Explains why an import failed, at which line, and what to do. `needsBun` is the advice for files that need Bun. */
export function explain(file: string, thrown: unknown, needsBun: string = BUN_NOT_INSTALLED): Problem {
  if (thrown instanceof ExitWhileReading) return { file, code: "import_failed", message: thrown.message };
  const need = bunNeedOf(thrown) ?? builtForBun(thrown);
  if (need) {
    const where = need.file ?? throwingFile(thrown) ?? file;
    const elsewhere = sameFile(file, where) ? "" : `${relative(dirname(file), where)}: `;
    return { file, code: "needs_bun", message: `${elsewhere}${need.reason} ${needsBun}` };
  }
  const missing = missingExportIn(thrown);
  if (missing) return missingExport(file, missing);
  return syntaxProblem(file, thrown) ?? missingImport(file, thrown) ?? thrownProblem(file, thrown);
}

/** The bundler of Bun starts the files that it writes for Bun with this comment. */
const BUILT_FOR_BUN = /^(?:#!.*\n)?\/\/ @bun\b/;

/** Such files fail in Node with errors that do not name Bun. */
function builtForBun(thrown: unknown): BunNeed | undefined {
  if ("bun" in process.versions || !(thrown instanceof TypeError || thrown instanceof ReferenceError)) return undefined;
  const file = throwingFile(thrown);
  return file && BUILT_FOR_BUN.test(textOrEmpty(file))
    ? { reason: 'It was built for Bun ("// @bun").', file }
    : undefined;
}

/**
 * Whether a failed import may succeed although none of its files has changed. "unresolved": a file may appear at an unknown
 * path. "threw": its code may depend on anything. Undefined if only a change of its files can help.
 */
export function transientFailure(thrown: unknown, { code }: Problem): "unresolved" | "threw" | undefined {
  if (code !== "import_failed" || isLinkError(thrown)) return undefined;
  const failed = unresolvedImport(thrown);
  if (!failed) return "threw";
  return failed.decidedByPaths ? undefined : "unresolved";
}

/** The import that could not be resolved; undefined for other errors. */
function unresolvedImport(thrown: unknown): UnresolvedImport | undefined {
  return thrown instanceof Error && UNRESOLVED in thrown ? (thrown[UNRESOLVED] as UnresolvedImport) : undefined;
}

/** Node throws a SyntaxError for a missing export, although all files parse. */
function isLinkError(thrown: unknown): boolean {
  return thrown instanceof SyntaxError && /^(?:The requested module|Named export) /.test(thrown.message);
}

function missingExport(file: string, missing: MissingExport): Problem {
  const found = explainMissingExport(authorFiles(file), missing);
  if (sameFile(file, found.file)) {
    return { file, ...found.position, code: "import_failed", message: `It ${found.reason}` };
  }
  const place = placeText(file, found.file, found.position);
  return { file, code: "import_failed", message: `${place}, which it imports, ${found.reason}` };
}

/** Imports that cannot be resolved; undefined if the error has another cause. */
function missingImport(file: string, thrown: unknown): Problem | undefined {
  const failed = unresolvedImport(thrown);
  if (!failed && !hasCode(thrown, "ERR_UNKNOWN_BUILTIN_MODULE", "ERR_UNSUPPORTED_ESM_URL_SCHEME")) return undefined;
  const found = explainMissingImports(authorFiles(file), failed);
  return found && { file, ...found.position, code: "import_failed", message: found.message };
}

/** What to do about an `import()` in a running tool that could not be resolved; undefined for other errors. */
export function explainFailedImport(entry: string, thrown: unknown): string | undefined {
  const failed = unresolvedImport(thrown);
  const found = failed && explainMissingImports([{ path: entry, source: "", imports: [] }], failed);
  return found?.message.replace(/^It /, "The tool ");
}

function syntaxProblem(file: string, thrown: unknown): Problem | undefined {
  const found = thrown instanceof SourceProblem ? thrown : unparsed(file, thrown);
  if (!found) return undefined;
  const { position } = found;
  const message = `${found.message.replace(/\.$/, "")}. Correct it and save.`;
  const frame = position && codeFrame(textOrEmpty(found.file), position);
  const framed = frame ? { frame } : {};
  if (sameFile(file, found.file)) return { file, ...position, code: "syntax", message, ...framed };
  const place = placeText(file, found.file, position);
  return { file, code: "syntax", message: `${place}, which it imports: ${message}`, ...framed };
}

/** Node does not say in which JavaScript file a syntax error is. An error with a place in authors' code was thrown by it. */
function unparsed(file: string, thrown: unknown): SourceProblem | undefined {
  if (!(thrown instanceof SyntaxError) || isLinkError(thrown) || placesOf(thrown, realpathSync(file))) return undefined;
  for (const { path, source, imports } of authorFiles(file)) {
    const found = syntaxErrorOf(path, source);
    if (found) return new SourceProblem(path, found.position, thrown.message);
    const json = imports.flatMap(({ target }) => (typeof target === "object" ? target.path : [])).find(isBrokenJson);
    if (json !== undefined) return new SourceProblem(json, undefined, thrown.message);
  }
  return undefined;
}

/** Bun does not say in which JSON file an error is. */
function isBrokenJson(path: string): boolean {
  if (!path.endsWith(".json")) return false;
  try {
    JSON.parse(textOrEmpty(path));
    return false;
  } catch {
    return true;
  }
}

function thrownProblem(file: string, thrown: unknown): Problem {
  const places = placesOf(thrown, realpathSync(file));
  const { text, isEmpty } = textOfThrown(thrown);
  const threw = isEmpty ? `threw ${text} while it was imported.` : `threw while it was imported: ${text}`;
  const line = places?.inEntry ? { line: places.inEntry.line } : {};
  if (!places || sameFile(file, places.place.file)) {
    return { file, ...line, code: "import_failed", message: `It ${threw}` };
  }
  const place = `${placeText(file, places.place.file, undefined)}:${places.place.line}`;
  return { file, ...line, code: "import_failed", message: `${place}, which it imports, ${threw}` };
}

/** `lib/a.ts:1:2`, relative to the folder of the tool file. */
function placeText(file: string, where: string, position: Position | undefined): string {
  return `${relative(dirname(realpathSync(file)), where)}${position ? `:${position.line}:${position.column}` : ""}`;
}

function hasCode(thrown: unknown, ...codes: string[]): boolean {
  return thrown instanceof Error && "code" in thrown && codes.includes(String(thrown.code));
}

function sameFile(a: string, b: string): boolean {
  return a === b || realpathSync(a) === realpathSync(b);
}
