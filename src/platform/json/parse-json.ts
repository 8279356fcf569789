import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";

/** The value of a JSON text, as far as it could be parsed, and the first syntax error. */
interface ParsedJson {
  readonly value: unknown;
  readonly error?: { readonly line: number; readonly column: number; readonly reason: string };
}

/** Accepts comments and trailing commas, and with `allowEmpty` an empty text. Throws if the text is nested too deeply. */
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
      error: {
        line: lineAt(text, first.offset),
        column: first.offset - text.lastIndexOf("\n", first.offset - 1),
        reason: spaced(jsonc.printParseErrorCode(first.error)),
      },
    };
  }
}

/** Returns a function that finds the line of a value, or else of the nearest enclosing value, by path. Parses on first use. */
export function lineFinder(text: string): (path: readonly (string | number)[]) => number | undefined {
  let tree: { root: Jsonc.Node | undefined } | undefined;
  return (path) => {
    const jsonc = jsoncParser();
    tree ??= { root: treeOf(text) };
    // The root encloses every value, so its line is returned only for the empty path.
    const shortest = Math.min(path.length, 1);
    for (let length = path.length; tree.root && length >= shortest; length--) {
      const node = jsonc.findNodeAtLocation(tree.root, path.slice(0, length));
      if (node) return lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset);
    }
    return undefined;
  };
}

/** Undefined for a text that is nested too deeply: the parser throws. */
function treeOf(text: string): Jsonc.Node | undefined {
  try {
    return jsoncParser().parseTree(text, [], { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** `CommaExpected` → `comma expected`. */
function spaced(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

/** Loads the library on first use: most starts read plain JSON only. */
export function jsoncParser(): typeof Jsonc {
  return createRequire(import.meta.url)("jsonc-parser");
}
