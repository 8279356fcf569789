import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";
import { hasCode } from "../config/error-code.ts";
import { messageOf } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";

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
  const lineOf = (path: readonly string[]): number | undefined => {
    const { parseTree, findNodeAtLocation } = jsoncParser();
    const tree = parseTree(text, [], { allowTrailingComma: true });
    const node = tree && findNodeAtLocation(tree, [...path]);
    return node && lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset);
  };
  try {
    return { kind: "read", value: JSON.parse(text), lineOf };
  } catch {
    const { parse: parseJsonc, printParseErrorCode } = jsoncParser();
    const errors: Jsonc.ParseError[] = [];
    const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    const [first] = errors;
    if (first === undefined) return { kind: "read", value, lineOf };
    const reason = printParseErrorCode(first.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
    const message = `This is not valid JSON (${reason.toLowerCase()}), so the MCP servers in it are not known. Correct it and save.`;
    return { kind: "problem", problem: { file, line: lineAt(text, first.offset), code: "syntax", message } };
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function unreadable(file: string, reason: string): JsoncFile {
  const message = `The MCP servers in it are not known: ${reason}. Check the file and its permissions.`;
  return { kind: "problem", problem: { file, code: "unreadable", message } };
}

/** Loaded for files that are not plain JSON, and to find lines. */
function jsoncParser(): typeof Jsonc {
  return createRequire(import.meta.url)("jsonc-parser");
}
