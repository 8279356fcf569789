import { namedSet, propertySet } from "./pattern-sets.ts";
import { literalPiece, type PatternSource, type Piece } from "./pattern-source.ts";

const CONTROLS: Readonly<Record<string, string>> = { t: "\t", r: "\r", f: "\f", v: "\v" };
const CODE =
  /^(?:x\{([0-9a-fA-F]{1,6})\}|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/;
const PROPERTY = /^([pP])(?:\{(\^?)([\w=]+)\}|([A-Z]))/;

/** What follows a `\`, inside brackets and outside of them: a set of characters, or one that stands for itself. */
export function readEscape(source: PatternSource): Piece {
  const code = source.takeMatch(CODE);
  if (code) return characterOf(source, Number.parseInt(code.slice(1).find(Boolean) ?? "", 16));
  const property = source.takeMatch(PROPERTY);
  if (property) return propertyOf(source, property);
  const letter = source.next();
  const control = CONTROLS[letter];
  return namedSet(letter) ?? (control === undefined ? punctuation(source, letter) : literalPiece(control));
}

function characterOf(source: PatternSource, code: number): Piece {
  if (code === 10) throw lineBreak(source);
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw source.problem("this is not the number of a character", "Write the character itself.");
  }
  return literalPiece(String.fromCodePoint(code));
}

function propertyOf(source: PatternSource, [whole, letter, not, long, short]: RegExpExecArray): Piece {
  const set = propertySet(long ?? short ?? "", (letter === "P") !== (not === "^"));
  if (set) return set;
  throw source.problem(`"\\${whole}" is not known`, "Use a property such as \\p{L}, \\p{Lu} or \\p{Greek}.");
}

function punctuation(source: PatternSource, character: string): Piece {
  if (character === "") throw source.problem('it ends with "\\"', "Write \\\\ for a backslash.");
  if (character === "n" || character === "\n") throw lineBreak(source);
  if (/[1-9k]/.test(character)) {
    throw source.problem(
      `references to groups such as "\\${character}" are not supported`,
      "Search for a simpler pattern, and choose among what is found.",
    );
  }
  if (character === "<" || character === ">") {
    throw source.problem(
      `"\\${character}" means different things to different people`,
      `Write ${character} for the character itself, or \\b for the edge of a word.`,
    );
  }
  if (/[\p{L}\p{N}]/u.test(character)) {
    throw source.problem(`"\\${character}" means nothing`, "Leave the backslash out, or write \\\\ for a backslash.");
  }
  return literalPiece(character);
}

/** What to throw for a line break in a pattern. */
export function lineBreak(source: PatternSource): Error {
  return source.problem(
    "there is a line break in it, and lines are searched one at a time",
    "Search for what stands on one line.",
  );
}
