/** One word of a line, without its quotes. */
interface LineWord {
  readonly text: string;
  /** The index in `text` of the first equals sign outside of quotes; -1 without one. */
  readonly equals: number;
}

/** A quote or bracket that is not closed. The message says which one. */
export class UnclosedError extends Error {
  constructor(opening: string, closing: string) {
    super(`${opening} is not closed. Add ${closing} at the end of the value.`);
  }
}

/**
 * Splits a line at white space, except in quotes and in the brackets of a JSON list or object that is a value. In double quotes,
 * `\"` and `\\` are a quote and a backslash. Throws an `UnclosedError`.
 */
export function wordsOf(line: string): LineWord[] {
  const words: LineWord[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? "")) {
      at += 1;
      continue;
    }
    const { word, end } = wordAt(line, at);
    words.push(word);
    at = end;
  }
  return words;
}

function wordAt(line: string, start: number): { word: LineWord; end: number } {
  let [text, equals, at] = ["", -1, start];
  while (at < line.length && !/\s/.test(line[at] ?? "")) {
    const character = line[at] ?? "";
    const isValueStart = equals >= 0 && equals === text.length - 1;
    if (character === '"' || character === "'") {
      const { value, end } = quotedAt(line, at);
      text += value;
      at = end;
    } else if (isValueStart && (character === "[" || character === "{")) {
      const end = jsonEnd(line, at);
      text += line.slice(at, end);
      at = end;
    } else {
      if (character === "=" && equals < 0) equals = text.length;
      text += character;
      at += 1;
    }
  }
  return { word: { text, equals }, end: at };
}

function quotedAt(line: string, start: number): { value: string; end: number } {
  const quote = line[start] ?? "";
  let value = "";
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (character === quote) return { value, end: at + 1 };
    const next = line[at + 1] ?? "";
    const isEscape = quote === '"' && character === "\\" && (next === '"' || next === "\\");
    if (isEscape) at += 1;
    value += isEscape ? next : character;
  }
  throw new UnclosedError(`The quote ${quote}`, quote);
}

/** The index after the bracket that closes the one at `start`. Brackets in JSON strings do not count. */
function jsonEnd(line: string, start: number): number {
  let [depth, isString] = [0, false];
  for (let at = start; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (isString) {
      if (character === "\\") at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  const opening = line[start] ?? "";
  throw new UnclosedError(`The bracket ${opening}`, opening === "[" ? "]" : "}");
}
