import { readFileSync, statSync } from "node:fs";
import { hasCode } from "../config/error-code.ts";
import { messageOf } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";
import { lineFinder, parseJson } from "../json-text/parse-json.ts";

/** What a file of JSON, perhaps with comments, holds. */
export type JsoncFile =
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "read"; readonly value: unknown; lineOf(path: readonly string[]): number | undefined };

const LARGEST = 50_000_000;

/** Reads a file that another program may also write. Never throws, and opens nothing that is not a plain file. */
export function readJsoncFile(file: string): JsoncFile {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: "missing" };
    if (!stat.isFile() || stat.size > LARGEST) return unreadable(file, "it is no file, or too large");
    return parse(file, readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    return hasCode(error, "ENOTDIR") ? { kind: "missing" } : unreadable(file, messageOf(error));
  }
}

function parse(file: string, text: string): JsoncFile {
  const { value, error } = parseJson(text, { allowEmpty: true });
  if (!error) return { kind: "read", value, lineOf: lineFinder(text) };
  const message = `This is not valid JSON (${error.reason}), so the MCP servers in it are not known. Correct it and save.`;
  return { kind: "problem", problem: { file, line: error.line, code: "syntax", message } };
}

function unreadable(file: string, reason: string): JsoncFile {
  const message = `The MCP servers in it are not known: ${reason}. Check the file and its permissions.`;
  return { kind: "problem", problem: { file, code: "unreadable", message } };
}
