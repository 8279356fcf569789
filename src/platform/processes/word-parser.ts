import { type Evaluated, evaluatedIn } from "./shell-evaluation.ts";
import type { Slot, Word } from "./shell-words.ts";
import {
  ambiguousSyntax,
  escapedPlaceholder,
  misplacedPlaceholder,
  type Placeholder,
  TemplateProblem,
} from "./template-problem.ts";
import type { TemplateSource } from "./template-source.ts";

/** Parses the inside of a word: quotes, escapes, expansions and placeholders. */
export class WordParser {
  /** Whether all words so far mean the same without a shell. */
  isPlain = true;
  readonly evaluated: Evaluated[] = [];
  readonly #source: TemplateSource;
  readonly #parseCommands: () => void;

  /** `parseCommands` reads the commands of a `$(…)` up to its end. */
  constructor(source: TemplateSource, parseCommands: () => void) {
    this.#source = source;
    this.#parseCommands = parseCommands;
  }

  escape(word: Word): void {
    const unit = this.#source.next();
    if (unit === undefined) throw new TemplateProblem("The command ends with a backslash. Remove it.");
    if (typeof unit !== "string") throw escapedPlaceholder("\\", unit);
    this.#source.write(`\\${unit}`);
    if (unit === "\n") this.isPlain = false;
    else word.unquoted.push(unit);
  }

  single(word: Word): void {
    this.#source.write("'");
    for (;;) {
      const unit = this.#source.nextInside("'");
      if (unit === "'") return this.#source.write("'");
      if (typeof unit !== "string") this.slot(unit, "single", word);
      else this.literal(unit, word);
    }
  }

  double(word: Word): void {
    this.#source.write('"');
    for (;;) {
      const unit = this.#source.nextInside('"');
      if (unit === '"') return this.#source.write('"');
      if (typeof unit !== "string") this.slot(unit, "double", word);
      else if (unit === "$") this.dollar(word, "double");
      else if (unit === "`") this.backticks(word, "double");
      else if (unit === "\\") this.#doubleEscape(word);
      else this.literal(unit, word);
    }
  }

  #doubleEscape(word: Word): void {
    const unit = this.#source.nextInside('"');
    if (typeof unit !== "string") throw escapedPlaceholder("\\", unit);
    this.#source.write(`\\${unit}`);
    if (unit !== "\n") word.unquoted.push('$`"\\'.includes(unit) ? unit : `\\${unit}`);
  }

  dollar(word: Word, quote: "bare" | "double"): void {
    const from = this.#source.pieces.length;
    const unit = this.#source.peek();
    if (unit !== undefined && typeof unit !== "string") throw escapedPlaceholder("$", unit);
    this.#source.write("$");
    if (unit === "[") throw ambiguousSyntax("$[…]", "Write $((…))");
    if (unit === "'" && quote === "bare") throw ambiguousSyntax("$'…'", "Use plain quotes");
    if (unit === "(") this.#substitution();
    else if (unit === "{") this.#expansion();
    else this.#variable();
    this.#expanded(word, quote, from);
  }

  #variable(): void {
    if (/^[\d@*#?$!-]$/.test(String(this.#source.peek()))) return this.#source.write(String(this.#source.next()));
    while (/^\w$/.test(String(this.#source.peek()))) this.#source.write(String(this.#source.next()));
  }

  #substitution(): void {
    this.#source.write(String(this.#source.next()));
    if (this.#source.peek() !== "(") return this.#parseCommands();
    this.#arithmetic();
  }

  #arithmetic(): void {
    this.#source.expressionDepth++;
    for (let depth = 1; depth > 0; ) {
      const unit = this.#source.nextInside("$((");
      if (typeof unit !== "string") throw misplacedPlaceholder(unit, "$((…))", "would be read as an expression");
      if ("'\"`\\".includes(unit)) throw ambiguousSyntax("quotes in $((…))", "Take them out");
      if (unit === "(") depth++;
      if (unit === ")") depth--;
      this.#source.write(unit);
    }
    this.#source.expressionDepth--;
  }

  #expansion(): void {
    const from = this.#source.pieces.length + 1;
    for (;;) {
      const unit = this.#source.nextInside("${");
      if (typeof unit !== "string")
        throw misplacedPlaceholder(unit, "the braces after a $", "cannot be filled in safely");
      this.#source.write(unit);
      if (unit === "}") break;
      if ("'\"`\\$".includes(unit))
        throw ambiguousSyntax("quotes or another $ in the braces after a $", "Make it simpler");
    }
    this.evaluated.push(...evaluatedIn(this.#source.pieces.slice(from, -1).join("")));
  }

  backticks(word: Word, quote: "bare" | "double"): void {
    const from = this.#source.pieces.length;
    this.#source.write("`");
    for (;;) {
      const unit = this.#source.nextInside("`");
      if (typeof unit !== "string")
        throw misplacedPlaceholder(unit, "backticks", "cannot be filled in safely", "Write $(…) instead");
      this.#source.write(unit);
      if (unit === "`") return this.#expanded(word, quote, from);
      if (unit === "\\" && typeof this.#source.peek() === "string") this.#source.write(String(this.#source.next()));
    }
  }

  slot(unit: Placeholder, quote: Slot["quote"], word: Word): void {
    if (this.#source.expressionDepth > 0) {
      const advice = "If these are subshells, put a space between the brackets; else move it out of there";
      throw misplacedPlaceholder(unit, "((…))", "would be read as an expression", advice);
    }
    const slot: Slot = { name: unit.value, quote, word };
    word.unquoted.push(slot);
    this.#source.pieces.push(slot);
  }

  literal(unit: string, word: Word): void {
    word.unquoted.push(unit);
    this.#source.write(unit);
  }

  /** The shell replaces all pieces since `from`. */
  #expanded(word: Word, quote: "bare" | "double", from: number): void {
    this.isPlain = false;
    word.unquoted.push({
      expansion: this.#source.textOf({ from, to: this.#source.pieces.length }),
      quoted: quote === "double",
    });
  }
}
