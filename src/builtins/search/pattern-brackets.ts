import { lineBreak, readEscape } from "./pattern-escapes.ts";
import { POSIX_SETS } from "./pattern-sets.ts";
import { literalPiece, type PatternSource, type Piece } from "./pattern-source.ts";

/** A set of characters in brackets, whose `[` has been read. A `[` in it stands for itself, as in most dialects. */
export function readBrackets(source: PatternSource): Piece {
  const isOpposite = source.take("^");
  const items: Piece[] = [];
  while (items.length === 0 || source.peek() !== "]") {
    if (source.isDone) throw source.problem('a "[" is never closed', "Write \\[ for the character itself.");
    if (source.startsWith("&&")) {
      throw source.problem('"&&" in brackets is not supported', "Write \\&& for the characters themselves.");
    }
    items.push(readItem(source));
  }
  source.next();
  const { rust, javascript } = joined(items);
  if (!isOpposite) return { rust: `[${rust}]`, javascript: `[${javascript}]` };
  return { rust: `[^${rust}\\n\\x{fffd}]`, javascript: `[^${javascript}\\n\\u{fffd}]` };
}

function readItem(source: PatternSource): Piece {
  const posix = source.takeMatch(/^\[:(\^?)([a-z]+):\]/);
  if (posix) return posixSet(source, posix);
  const first = readOne(source);
  if (first.literal === undefined || source.peek() !== "-" || ["]", ""].includes(source.peek(1))) return first;
  source.next();
  const last = readOne(source);
  if (last.literal === undefined) {
    throw source.problem("a range ends with a set of characters", 'Write \\- for the character "-".');
  }
  if ((first.literal.codePointAt(0) ?? 0) > (last.literal.codePointAt(0) ?? 0)) {
    throw source.problem(`the range "${first.literal}-${last.literal}" is the wrong way round`, "Turn it round.");
  }
  return range(first.literal, last.literal);
}

function readOne(source: PatternSource): Piece {
  const character = source.next();
  if (character === "\n") throw lineBreak(source);
  if (character !== "\\") return literalPiece(character);
  // Only here it is a character.
  return source.take("b") ? literalPiece("\b") : readEscape(source);
}

/** A line break in the middle of a range is left out. */
function range(first: string, last: string): Piece {
  if (first > "\n" || last < "\n") return between(first, last);
  return joined([...(first < "\n" ? [between(first, "\t")] : []), ...(last > "\n" ? [between("\v", last)] : [])]);
}

function between(first: string, last: string): Piece {
  const [from, to] = [literalPiece(first), literalPiece(last)];
  return { rust: `${from.rust}-${to.rust}`, javascript: `${from.javascript}-${to.javascript}` };
}

function posixSet(source: PatternSource, [whole, not, name = ""]: RegExpExecArray): Piece {
  const set = POSIX_SETS[name];
  if (set === undefined) {
    throw source.problem(`"${whole}" is not known`, "Use a set such as [:alpha:], [:digit:] or [:space:].");
  }
  if (!not) return { rust: `[${set}]`, javascript: `[${javascriptSet(set)}]` };
  return { rust: `[^${set}\\n\\x{fffd}]`, javascript: `[^${javascriptSet(set)}\\n\\u{fffd}]` };
}

function javascriptSet(set: string): string {
  return set.replace(/\\x([0-9a-f]{2})/g, "\\u{$1}");
}

function joined(pieces: readonly Piece[]): Piece {
  return {
    rust: pieces.map(({ rust }) => rust).join(""),
    javascript: pieces.map(({ javascript }) => javascript).join(""),
  };
}
