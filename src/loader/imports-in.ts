import { codeOnly } from "./code-only.ts";

/** A place in a file that names a module in a text. */
export interface ImportAt {
  readonly specifier: string;
  /** Where the specifier stands, its quotes aside. */
  readonly start: number;
  readonly end: number;
  /** How it is asked for: before anything runs, or when the code comes to it. */
  readonly kind: "static" | "import()" | "require()";
}

const IMPORT = /(?<![.\w$])(?:(?:from|import)\s*|(?:import|require)\s*\(\s*)(?:" *"|' *')/g;

/** Every module that a file names in so many words. `code` is what `codeOnly` made of it. */
export function importsIn(source: string, code: string = codeOnly(source)): ImportAt[] {
  return [...code.matchAll(IMPORT)].map(({ index, 0: { length }, 0: words }) => {
    const end = index + length - 1;
    const start = code.lastIndexOf(code.charAt(end), end - 1) + 1;
    return { specifier: source.slice(start, end), start, end, kind: kindOf(words) };
  });
}

function kindOf(words: string): ImportAt["kind"] {
  if (words.startsWith("require")) return "require()";
  return words.includes("(") ? "import()" : "static";
}
