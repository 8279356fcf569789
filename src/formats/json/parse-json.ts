import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";

/** A JSON text, read, or the first thing that is wrong with it. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly reason: string };

/** Comments and trailing commas are let pass. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const jsonc = jsoncParser();
    const errors: Jsonc.ParseError[] = [];
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (!first) return { ok: true, value };
    return { ok: false, line: lineAt(text, first.offset), reason: words(jsonc.printParseErrorCode(first.error)) };
  }
}

/** The line on which a part of a JSON text begins; that of the nearest part around it, when there is no such part. */
export function lineOf(text: string, path: readonly (string | number)[]): number | undefined {
  const jsonc = jsoncParser();
  const tree = jsonc.parseTree(text, [], { allowTrailingComma: true });
  for (let length = path.length; tree && length > 0; length--) {
    const node = jsonc.findNodeAtLocation(tree, path.slice(0, length));
    if (node) return lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset);
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** Loaded for files that are not plain JSON, and to find lines: most need neither. */
function jsoncParser(): typeof Jsonc {
  return createRequire(import.meta.url)("jsonc-parser");
}
