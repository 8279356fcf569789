import { parse } from "smol-toml";

/** One statement of a TOML text, or one line that is empty or a comment. Includes its line end. */
export interface Statement {
  readonly kind: "table" | "pair" | "other";
  readonly start: number;
  readonly end: number;
  /** A table: its whole path. A pair: its first key. */
  readonly keys: readonly string[];
}

/** Splits a valid TOML text into statements. */
export function tomlStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    statements.push(toStatement(text.slice(start, end), start));
    start = end;
  }
  return statements;
}

function toStatement(source: string, start: number): Statement {
  const end = start + source.length;
  const first = source.trimStart()[0];
  if (first === undefined || first === "#") return { kind: "other", start, end, keys: [] };
  const value = parse(source, { integersAsBigInt: "asNeeded" });
  if (first !== "[") return { kind: "pair", start, end, keys: Object.keys(value) };
  return { kind: "table", start, end, keys: path(value) };
}

/** The keys of tables nested in each other, one key per level. */
function path(value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...path(inner)]);
}

/** Line ends within strings, lists and inline tables do not end a statement. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "\n" && depth === 0) return at + 1;
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth -= 1;
    if (character === "#") at = beforeLineEnd(text, at);
    if (character === '"' || character === "'") at = endOfString(text, at, character);
  }
  return text.length;
}

function beforeLineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return (found < 0 ? text.length : found) - 1;
}

/** The position of the last quote of a string. */
function endOfString(text: string, start: number, quote: string): number {
  const isLong = text.startsWith(quote.repeat(3), start);
  const close = isLong ? quote.repeat(3) : quote;
  for (let at = start + close.length; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at += 1;
    else if (text.startsWith(close, at)) return lastQuote(text, at + close.length - 1, isLong ? quote : "");
  }
  return text.length;
}

/** Up to two quotes at the end of a multi-line string belong to its content. */
function lastQuote(text: string, at: number, quote: string): number {
  return quote !== "" && text[at + 1] === quote ? lastQuote(text, at + 1, quote) : at;
}
