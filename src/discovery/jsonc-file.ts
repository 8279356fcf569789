import { messageOf } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";
import { readTextFile } from "../files/read-text-file.ts";
import { lineFinder, parseJson } from "../json-text/parse-json.ts";

/** What a file of JSON, perhaps with comments, holds. */
export type JsoncFile =
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "read"; readonly value: unknown; lineOf(path: readonly string[]): number | undefined };

const LARGEST = 50_000_000;

/**
 * Reads a file that another program may also write. `untrusted` is the root of a project that is not trusted: its links are
 * followed within it alone. Never throws.
 */
export function readJsoncFile(file: string, untrusted?: string): JsoncFile {
  const read = readTextFile(file, { largest: LARGEST, untrusted });
  if (read.kind === "missing") return read;
  if (read.kind === "refused") return unreadable(file, read.reason);
  try {
    return parse(file, read.text);
  } catch (error) {
    // A text can be nested too deeply for the parser.
    return unreadable(file, `${messageOf(error)}. Correct it.`);
  }
}

function parse(file: string, text: string): JsoncFile {
  const { value, error } = parseJson(text, { allowEmpty: true });
  if (!error) return { kind: "read", value, lineOf: lineFinder(text) };
  const message = `This is not valid JSON (${error.reason}), so the MCP servers in it are not known. Correct it and save.`;
  return { kind: "problem", problem: { file, line: error.line, code: "syntax", message } };
}

function unreadable(file: string, reason: string): JsoncFile {
  return { kind: "problem", problem: { file, code: "unreadable", message: `It is not read: ${reason}` } };
}
