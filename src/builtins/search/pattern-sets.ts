import type { Piece } from "./pattern-source.ts";

/**
 * Sets of characters. None has a line break in it, since lines are searched one at a time, nor U+FFFD, which is what
 * becomes of bytes that are no text. Both engines mean all of Unicode.
 */
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

const SETS: Readonly<Record<string, Piece>> = {
  d: { rust: "\\d", javascript: "\\p{Nd}" },
  D: { rust: "[^\\d\\n\\x{fffd}]", javascript: "[^\\p{Nd}\\n\\u{fffd}]" },
  w: { rust: "\\w", javascript: `[${WORD}]` },
  W: { rust: "[^\\w\\n\\x{fffd}]", javascript: `[^${WORD}\\n\\u{fffd}]` },
  s: { rust: "[\\s--\\n]", javascript: "[\\p{White_Space}--\\n]" },
  S: { rust: "[^\\s\\x{fffd}]", javascript: "[^\\p{White_Space}\\u{fffd}]" },
};

/** Any character of a line. */
export const ANY: Piece = { rust: "[^\\r\\n\\x{fffd}]", javascript: "[^\\r\\n\\u{fffd}]" };

/** `\d`, `\w`, `\s` and their opposites. */
export function namedSet(letter: string): Piece | undefined {
  return SETS[letter];
}

/** `\p{name}`, or its opposite. Undefined when there is no such property. */
export function propertySet(name: string, isOpposite: boolean): Piece | undefined {
  const known = [name, `Script=${name}`].find(isProperty);
  if (known === undefined) return undefined;
  const property = `\\p{${known}}`;
  const piece = (left: string): string => (isOpposite ? `[^${property}\\n${left}]` : `[${property}--[\\n${left}]]`);
  return { rust: piece("\\x{fffd}"), javascript: piece("\\u{fffd}") };
}

/** The places beside a word. */
const EDGES: Readonly<Record<string, Piece>> = {
  b: { rust: "\\b", javascript: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))` },
  B: { rust: "\\B", javascript: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))` },
};

/** `\b` and `\B`. */
export function wordEdge(letter: string): Piece | undefined {
  return EDGES[letter];
}

/** The beginning of a line. */
export const LINE_START: Piece = { rust: "(?:^)", javascript: "(?:(?<=^|\\n))" };
/** The end of a line, before the carriage return that Windows writes. */
export const LINE_END: Piece = { rust: "(?:\\r?$)", javascript: "(?:(?=\\r?(?:\\n|$)))" };

/** The sets that are written `[:alpha:]` in brackets. */
export const POSIX_SETS: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x01-\\x09\\x0b-\\x7f",
  blank: "\\t ",
  cntrl: "\\x01-\\x09\\x0b-\\x1f\\x7f",
  digit: "0-9",
  graph: "\\x21-\\x7e",
  lower: "a-z",
  print: "\\x20-\\x7e",
  punct: "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
  space: "\\t\\x0b\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

function isProperty(name: string): boolean {
  if (!/^(?:\w+=)?\w+$/.test(name)) return false;
  try {
    return new RegExp(`\\p{${name}}`, "u").source !== "";
  } catch {
    return false;
  }
}
