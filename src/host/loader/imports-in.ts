import { codeOnly } from "../../platform/text/code-only.ts";

/** A module specifier in a file. */
export interface ImportAt {
  readonly specifier: string;
  /** The offset of the specifier, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** A static import is loaded before the file runs. */
  readonly kind: "static" | "import()" | "require()";
}

const IMPORT = /(?<![.\w$])(?:(?:from|import)\s*|(?:import|require)\s*\(\s*)(?:" *"|' *')/g;

/** Every literal module specifier in a file. `code` is the result of `codeOnly`. */
export function importsIn(source: string, code: string = codeOnly(source)): ImportAt[] {
  return [...code.matchAll(IMPORT)].map(({ index, 0: { length }, 0: statement }) => {
    const end = index + length - 1;
    const start = code.lastIndexOf(code.charAt(end), end - 1) + 1;
    return { specifier: source.slice(start, end), start, end, kind: kindOf(statement) };
  });
}

function kindOf(statement: string): ImportAt["kind"] {
  if (statement.startsWith("require")) return "require()";
  return statement.includes("(") ? "import()" : "static";
}
