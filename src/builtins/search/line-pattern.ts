import { ToolError } from "../../index.ts";
import { translate } from "./translate-pattern.ts";

/** A pattern for parts of lines, which both engines understand in the same way. */
export interface LinePattern {
  /** For ripgrep. */
  readonly rust: string;
  /** Where it matches in a text next, from a position on; -1 when nowhere. A match never goes over the end of a line. */
  find(text: string, from: number): number;
}

/** Reads a pattern. Fails, in words for a model, where it is wrong or not supported. */
export function compileLinePattern(source: string): LinePattern {
  if (source === "") throw new ToolError("failed", '"pattern" is empty. Send what to search for.');
  if (source.length > MOST_CHARACTERS) {
    throw new ToolError("failed", `"pattern" has more than ${MOST_CHARACTERS} characters. Send a shorter one.`);
  }
  const { rust, javascript, ignoreCase, literal } = translate(source);
  if (literal !== undefined && !ignoreCase) return { rust, find: (text, from) => text.indexOf(literal, from) };
  const expression = new RegExp(javascript, ignoreCase ? "giv" : "gv");
  return {
    rust: ignoreCase ? `(?i)${rust}` : rust,
    find(text, from) {
      expression.lastIndex = from;
      return expression.exec(text)?.index ?? -1;
    },
  };
}

const MOST_CHARACTERS = 10_000;
