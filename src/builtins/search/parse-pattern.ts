import { type PathPart, textPart } from "./path-part.ts";

/** How the patterns of one origin are written. */
export interface PatternSyntax {
  /** Finds a set such as `[a-z]` at a position. */
  readonly set: RegExp;
  /** The parts of a set. */
  toSet(text: string): readonly PathPart[];
  /** The parts of braces. `text` is between them. */
  toChoice(options: readonly (readonly PathPart[])[], text: string): readonly PathPart[];
  /** Whether a closing brace may stand alone. */
  readonly allowsClosingBrace: boolean;
}

/** A pattern that cannot be read. */
export class PatternError extends Error {
  /** What to do next. */
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

/** Reads `*`, `?`, `**`, sets, braces, and `\` to escape. Throws a PatternError. */
export function parsePattern(pattern: string, syntax: PatternSyntax): PathPart[] {
  return parseOptions({ pattern, syntax }, 0, false).options[0] ?? [];
}

interface Source {
  readonly pattern: string;
  readonly syntax: PatternSyntax;
}

interface Options {
  readonly options: readonly PathPart[][];
  readonly end: number;
}

/** Reads the alternatives up to the closing brace, or, outside of braces, the only one. */
function parseOptions(source: Source, from: number, isInBraces: boolean): Options {
  const { pattern, syntax } = source;
  const options: PathPart[][] = [[]];
  const add = (parts: readonly PathPart[]): void => push(options.at(-1) ?? [], parts);
  let at = from;
  while (at < pattern.length) {
    const set = tokenAt(syntax.set, pattern, at);
    const token = set ?? tokenAt(TOKEN, pattern, at) ?? "";
    at += token.length;
    if (set !== undefined) add(syntax.toSet(set));
    else if (isInBraces && token === "}") return { options, end: at };
    else if (isInBraces && token === ",") options.push([]);
    else if (token === "{") {
      const inside = parseOptions(source, at, true);
      add(syntax.toChoice(inside.options, pattern.slice(at, inside.end - 1)));
      at = inside.end;
    } else if (token === "}" && !syntax.allowsClosingBrace) throw new PatternError('has a "}" without a "{"', CLOSING);
    else add(partsOf(token, /^[,}]?$/.test(pattern.charAt(at))));
  }
  if (isInBraces) throw new PatternError('has a "{" without a "}"', 'Write \\{ for the character "{".');
  return { options, end: at };
}

const CLOSING = 'Write \\} for the character "}".';

/** An escaped character, a run of stars with the slash behind it, or one character. */
const TOKEN = /\\[\s\S]|\*+\/?|[\s\S]/uy;

function tokenAt(token: RegExp, pattern: string, at: number): string | undefined {
  token.lastIndex = at;
  return token.exec(pattern)?.[0];
}

function partsOf(token: string, isLast: boolean): PathPart[] {
  if (token === "**/") return [{ kind: "folders" }];
  if (token === "**" && isLast) return [{ kind: "anything" }];
  if (token.startsWith("*")) return [{ kind: "star" }, ...(token.endsWith("/") ? [textPart("/")] : [])];
  if (token === "?") return [{ kind: "one", set: /[^/]/u }];
  if (token === "\\") throw new PatternError('ends with "\\"', 'Write \\\\ for the character "\\".');
  return [textPart(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token)];
}

/** Joins texts. */
function push(parts: PathPart[], added: readonly PathPart[]): void {
  for (const part of added) {
    const last = parts.at(-1);
    if (part.kind === "text" && last?.kind === "text") parts[parts.length - 1] = textPart(last.text + part.text);
    else parts.push(part);
  }
}
