import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";

/** A JSON text, read as far as it can be, and the first thing that is wrong with it. */
export interface ParsedJson {
  readonly value: unknown;
  readonly error?: { readonly line: number; readonly reason: string };
}

/** Comments and trailing commas are let pass; an empty text only where it is said so. */
export function parseJson(text: string, options: { readonly allowEmpty?: boolean } = {}): ParsedJson {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const jsonc = jsoncParser();
    const errors: Jsonc.ParseError[] = [];
    const allowEmptyContent = options.allowEmpty ?? false;
    const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true, allowEmptyContent });
    const [first] = errors;
    if (!first) return { value };
    return {
      value,
      error: { line: lineAt(text, first.offset), reason: words(jsonc.printParseErrorCode(first.error)) },
    };
  }
}

/** Finds the line on which a part of a JSON text begins, or else the nearest part around it. Parses once, when asked. */
export function lineFinder(text: string): (path: readonly (string | number)[]) => number | undefined {
  let tree: { root: Jsonc.Node | undefined } | undefined;
  return (path) => {
    const jsonc = jsoncParser();
    tree ??= { root: jsonc.parseTree(text, [], { allowTrailingComma: true }) };
    // The whole is around everything, so that it tells nothing, unless it is what was asked for.
    const shortest = Math.min(path.length, 1);
    for (let length = path.length; tree.root && length >= shortest; length--) {
      const node = jsonc.findNodeAtLocation(tree.root, path.slice(0, length));
      if (node) return lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset);
    }
    return undefined;
  };
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** Loads the library on first use: most starts read plain JSON only. */
export function jsoncParser(): typeof Jsonc {
  return createRequire(import.meta.url)("jsonc-parser");
}
