import { ToolError } from "../../index.ts";

/** The same part of a pattern in the words of both engines. */
export interface Piece {
  readonly rust: string;
  readonly javascript: string;
  /** The text itself, where it stands for nothing else. */
  readonly literal?: string;
}

/** A pattern that is read from left to right, one character after another. */
export class PatternSource {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  get isDone(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** What comes next; empty at the end. */
  peek(ahead = 0): string {
    return this.#characters[this.#at + ahead] ?? "";
  }

  next(): string {
    return this.#characters[this.#at++] ?? "";
  }

  /** Goes on if just this comes next. */
  take(text: string): boolean {
    if (!this.startsWith(text)) return false;
    this.#at += text.length;
    return true;
  }

  /** Whether this comes next; it has no characters beyond the basic ones. */
  startsWith(text: string): boolean {
    return this.#characters.slice(this.#at, this.#at + text.length).join("") === text;
  }

  /** What matches here, and goes on behind it. */
  takeMatch(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#characters.slice(this.#at, this.#at + LONGEST_TOKEN).join(""));
    if (found) this.#at += Array.from(found[0]).length;
    return found ?? undefined;
  }

  /** What to throw when the pattern is wrong just here. */
  problem(reason: string, next: string): ToolError {
    return new ToolError("failed", `The pattern is not valid at character ${this.#at}: ${reason}. ${next}`);
  }
}

const LONGEST_TOKEN = 100;

/** A character that stands for itself. */
export function literalPiece(character: string): Piece {
  const code = character.codePointAt(0) ?? 0;
  const isPlain = /[\p{L}\p{N}_ ]/u.test(character);
  return {
    rust: isPlain ? character : `\\x{${code.toString(16)}}`,
    javascript: isPlain ? character : `\\u{${code.toString(16)}}`,
    literal: character,
  };
}
