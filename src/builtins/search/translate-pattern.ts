import { readBrackets } from "./pattern-brackets.ts";
import { lineBreak, readEscape } from "./pattern-escapes.ts";
import { ANY, LINE_END, LINE_START, wordEdge } from "./pattern-sets.ts";
import { literalPiece, PatternSource, type Piece } from "./pattern-source.ts";

/** A pattern in the words of both engines. */
export interface Translated extends Piece {
  readonly ignoreCase: boolean;
}

/**
 * Reads a pattern in what the usual dialects of regular expressions have in common, and says it in Rust's words and in
 * JavaScript's, so that both find the same. Throws, in words for a model, where it is wrong or not supported.
 */
export function translate(pattern: string): Translated {
  const source = new PatternSource(pattern);
  const ignoreCase = source.take("(?i)");
  const piece = readChoices(source, 0);
  if (!source.isDone) throw source.problem('a ")" closes nothing', "Write \\) for the character itself.");
  return { ...piece, ignoreCase };
}

const DEEPEST = 50;

function readChoices(source: PatternSource, depth: number): Piece {
  if (depth > DEEPEST) throw source.problem("its groups are nested too deeply", "Send a simpler one.");
  const choices = [readSequence(source, depth)];
  while (source.take("|")) choices.push(readSequence(source, depth));
  const [only] = choices;
  if (choices.length === 1 && only) return only;
  return {
    rust: choices.map(({ rust }) => rust).join("|"),
    javascript: choices.map(({ javascript }) => javascript).join("|"),
  };
}

function readSequence(source: PatternSource, depth: number): Piece {
  const pieces: Piece[] = [];
  while (!source.isDone && source.peek() !== "|" && source.peek() !== ")") pieces.push(readRepeated(source, depth));
  const isLiteral = pieces.every(({ literal }) => literal !== undefined);
  return {
    rust: pieces.map(({ rust }) => rust).join(""),
    javascript: pieces.map(({ javascript }) => javascript).join(""),
    ...(isLiteral ? { literal: pieces.map(({ literal }) => literal).join("") } : {}),
  };
}

const COUNT = /^\{(\d+)(,?)(\d*)\}/;
const MOST_TIMES = 1_000;

function readRepeated(source: PatternSource, depth: number): Piece {
  const { rust, javascript, ...rest } = readAtom(source, depth);
  const times = readTimes(source);
  if (times === undefined) return { rust, javascript, ...rest };
  const lazy = source.take("?") ? "?" : "";
  if (readTimes(source) !== undefined) {
    throw source.problem("something that is repeated already is repeated again", "Put it in (?:…), or leave one out.");
  }
  return { rust: `${rust}${times}${lazy}`, javascript: `${javascript}${times}${lazy}` };
}

function readTimes(source: PatternSource): string | undefined {
  if (["*", "+", "?"].includes(source.peek())) return source.next();
  const count = source.takeMatch(COUNT);
  if (!count) return undefined;
  const [times, least = "", , most = ""] = count;
  if (Number(most || least) > MOST_TIMES || Number(least) > MOST_TIMES) {
    throw source.problem(`"${times}" repeats more than ${MOST_TIMES} times`, "Use a smaller number, or + or *.");
  }
  if (most && Number(least) > Number(most)) throw source.problem(`"${times}" is the wrong way round`, "Turn it round.");
  return times;
}

function readAtom(source: PatternSource, depth: number): Piece {
  const isCount = source.takeMatch(/^(?:[*+?]|\{\d+,?\d*\})/);
  if (isCount) {
    const [times] = isCount;
    throw source.problem(
      `nothing stands before "${times}" that it could repeat`,
      `Write \\${times} for the text itself. A pattern for file names goes into "include".`,
    );
  }
  const character = source.next();
  switch (character) {
    case "\n":
      throw lineBreak(source);
    case "\0":
      throw source.problem("there is a NUL byte in it", "Send it without.");
    case ".":
      return ANY;
    case "^":
      return LINE_START;
    case "$":
      return LINE_END;
    case "[":
      return readBrackets(source);
    case "(":
      return readGroup(source, depth);
    case "\\":
      return readWordEdge(source) ?? readEscape(source);
    default:
      return literalPiece(character);
  }
}

function readWordEdge(source: PatternSource): Piece | undefined {
  const edge = wordEdge(source.peek());
  if (edge) source.next();
  return edge;
}

function readGroup(source: PatternSource, depth: number): Piece {
  if (source.peek() === "?") openGroup(source);
  const { rust, javascript } = readChoices(source, depth + 1);
  if (!source.take(")")) throw source.problem('a "(" is never closed', "Write \\( for the character itself.");
  return { rust: `(?:${rust})`, javascript: `(?:${javascript})` };
}

/** Names of groups are of no use here, and left out. */
function openGroup(source: PatternSource): void {
  if (source.takeMatch(/^\?(?::|P?<[A-Za-z_]\w*>)/)) return;
  if (source.takeMatch(/^\?<?[=!]/)) {
    throw source.problem(
      "looking ahead and behind is not supported",
      "Search for a simpler pattern, and choose among what is found.",
    );
  }
  throw source.problem(
    "this kind of group is not supported",
    "Use (…) or (?:…). Only at the very beginning, (?i) makes upper and lower case alike.",
  );
}
