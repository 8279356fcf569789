import { CALCULATION, type Evaluated, evaluatedBy, evaluatedIn, refuseEvaluated } from "./shell-evaluation.ts";
import {
  type Command,
  commandOf,
  isAssignment,
  isShellOnly,
  isSlot,
  judgeCommand,
  literalOf,
  refuseSubscript,
  type Slot,
  type TemplatePart,
  TemplateProblem,
  type Word,
} from "./shell-words.ts";

/** A command template, read once. */
export interface ParsedTemplate {
  /** The text as it was written, with the places for values in it. */
  readonly pieces: readonly (string | Slot)[];
  /** Every word, those of commands inside words included. */
  readonly words: readonly Word[];
  /** Whether it is one command of plain words, for which no shell is needed. */
  readonly plain: boolean;
}

/**
 * Reads a template as a POSIX shell would, as far as it takes to know how each value must be quoted where it stands.
 * Throws a `TemplateProblem` where that cannot be known.
 */
export function parseTemplate(parts: readonly TemplatePart[]): ParsedTemplate {
  return new Parser(parts).parse();
}

type Unit = string | { readonly value: string };

/** The commands between two brackets, or of the whole template. */
interface Scope {
  readonly command: Word[];
  word: Word | undefined;
  /** Whether the next word is what a redirection goes to. */
  redirects: boolean;
  depth: number;
  /** The depth at which a `((` stands that is not closed yet. */
  expression: number | undefined;
  /** How many `case` are open: in a `$(…)` the bracket after a pattern would be taken for its end. */
  cases: number;
}

class Parser {
  readonly #units: readonly Unit[];
  readonly #pieces: (string | Slot)[] = [];
  readonly #words: Word[] = [];
  readonly #commandsRead: Command[] = [];
  readonly #evaluated: Evaluated[] = [];
  #at = 0;
  #plain = true;
  /** How many expressions, in each other, are being read. */
  #expressions = 0;
  #calculated = "";

  constructor(parts: readonly TemplatePart[]) {
    this.#units = parts.flatMap((part): Unit[] => (typeof part === "string" ? part.split("") : [part]));
  }

  parse(): ParsedTemplate {
    this.#commands("the end");
    const evaluated = [...this.#evaluated, { where: CALCULATION, text: this.#calculated }];
    refuseEvaluated({ commands: this.#commandsRead, pieces: this.#pieces, evaluated });
    const [first] = this.#words;
    if (first && (isAssignment(first) || isShellOnly(literalOf(first) ?? ""))) this.#plain = false;
    return { pieces: this.#pieces, words: this.#words, plain: this.#plain };
  }

  #commands(until: ")" | "the end"): void {
    const scope: Scope = { command: [], word: undefined, redirects: false, depth: 0, expression: undefined, cases: 0 };
    for (let unit = this.#next(); unit !== undefined; unit = this.#next()) {
      if (unit === until && scope.depth === 0) {
        this.#endCommand(scope);
        if (scope.cases > 0) throw unclear('a case in "$(…)" with patterns like a)', "Write (a)");
        return this.#write(")");
      }
      this.#bare(unit, scope);
    }
    this.#endCommand(scope);
    if (until === ")") throw new TemplateProblem('"$(" is not closed. Add the missing ")".');
  }

  #bare(unit: Unit, scope: Scope): void {
    if (typeof unit !== "string") return this.#slot(unit, "bare", this.#wordOf(scope));
    if (unit === " " || unit === "\t") return this.#endWord(scope, unit);
    if (unit === "<" || unit === ">") return this.#redirection(unit, scope);
    if (unit === "#" && !scope.word) return this.#comment();
    if ("\n;&|()".includes(unit)) return this.#operator(unit, scope);
    const word = this.#wordOf(scope);
    if (unit === "\\") return this.#escape(word);
    if (unit === "'") return this.#single(word);
    if (unit === '"') return this.#double(word);
    if (unit === "`") return this.#backticks(word, "bare");
    if (unit === "$") return this.#dollar(word, "bare");
    if ("*?[]~{}".includes(unit)) this.#plain = false;
    this.#literal(unit, word);
  }

  #operator(unit: string, scope: Scope): void {
    this.#plain = false;
    this.#endCommand(scope);
    if (unit === "(") this.#open(scope);
    if (unit === ")") this.#close(scope);
    this.#write(unit);
  }

  /** Two brackets are two subshells to some shells and an expression to others. */
  #open(scope: Scope): void {
    if (scope.expression === undefined && this.#peek() === "(") {
      scope.expression = scope.depth;
      this.#expressions++;
    }
    scope.depth++;
  }

  #close(scope: Scope): void {
    // The pattern of a `case` ends with a bracket that nothing opened.
    scope.depth = Math.max(0, scope.depth - 1);
    if (scope.depth !== scope.expression) return;
    scope.expression = undefined;
    this.#expressions--;
  }

  #redirection(unit: string, scope: Scope): void {
    this.#plain = false;
    const isNumber = /^\d+$/.test(literalOf(scope.word) ?? "");
    this.#endWord(scope);
    if (isNumber) scope.command.pop();
    this.#write(unit);
    if (unit === "<" && this.#peek() === "<") return this.#hereDocument();
    while (["<", ">", "&", "|"].includes(String(this.#peek()))) this.#write(String(this.#next()));
    scope.redirects = this.#peek() !== "(" && this.#peek() !== "-";
  }

  /** What follows is passed on as it is, brackets included. */
  #hereDocument(): void {
    const slot = this.#units.slice(this.#at).find((unit) => typeof unit !== "string");
    if (slot) {
      throw new TemplateProblem(
        `${show(slot)} stands in or after a here-document ("<<"), where it cannot be filled in safely. Write printf -- '%s' ${show(slot)} | … instead.`,
      );
    }
    this.#write(this.#units.slice(this.#at).join(""));
    this.#at = this.#units.length;
  }

  #comment(): void {
    this.#plain = false;
    this.#write("#");
    while (this.#at < this.#units.length && this.#peek() !== "\n") {
      const unit = this.#next();
      if (typeof unit === "string") this.#write(unit);
    }
  }

  #escape(word: Word): void {
    const unit = this.#next();
    if (unit === undefined) throw new TemplateProblem("The command ends with a backslash. Remove it.");
    if (typeof unit !== "string") throw escaped("\\", unit);
    this.#write(`\\${unit}`);
    if (unit === "\n") this.#plain = false;
    else word.cooked.push(unit);
  }

  #single(word: Word): void {
    this.#write("'");
    for (;;) {
      const unit = this.#inside("'");
      if (unit === "'") return this.#write("'");
      if (typeof unit !== "string") this.#slot(unit, "single", word);
      else this.#literal(unit, word);
    }
  }

  #double(word: Word): void {
    this.#write('"');
    for (;;) {
      const unit = this.#inside('"');
      if (unit === '"') return this.#write('"');
      if (typeof unit !== "string") this.#slot(unit, "double", word);
      else if (unit === "$") this.#dollar(word, "double");
      else if (unit === "`") this.#backticks(word, "double");
      else if (unit === "\\") this.#doubleEscape(word);
      else this.#literal(unit, word);
    }
  }

  #doubleEscape(word: Word): void {
    const unit = this.#inside('"');
    if (typeof unit !== "string") throw escaped("\\", unit);
    this.#write(`\\${unit}`);
    if (unit !== "\n") word.cooked.push('$`"\\'.includes(unit) ? unit : `\\${unit}`);
  }

  #dollar(word: Word, quote: "bare" | "double"): void {
    const from = this.#pieces.length;
    const unit = this.#peek();
    if (unit !== undefined && typeof unit !== "string") throw escaped("$", unit);
    this.#write("$");
    if (unit === "[") throw unclear("$[…]", "Write $((…))");
    if (unit === "'" && quote === "bare") throw unclear("$'…'", "Use plain quotes");
    if (unit === "(") this.#substitution();
    else if (unit === "{") this.#expansion();
    else this.#variable();
    this.#expanded(word, quote, from);
  }

  #variable(): void {
    if (/^[\d@*#?$!-]$/.test(String(this.#peek()))) return this.#write(String(this.#next()));
    while (/^\w$/.test(String(this.#peek()))) this.#write(String(this.#next()));
  }

  #substitution(): void {
    this.#write(String(this.#next()));
    if (this.#peek() !== "(") return this.#commands(")");
    this.#arithmetic();
  }

  #arithmetic(): void {
    this.#expressions++;
    for (let depth = 1; depth > 0; ) {
      const unit = this.#inside("$((");
      if (typeof unit !== "string") throw within(unit, "$((…))", "would be read as an expression");
      if ("'\"`\\".includes(unit)) throw unclear("quotes in $((…))", "Take them out");
      if (unit === "(") depth++;
      if (unit === ")") depth--;
      this.#write(unit);
    }
    this.#expressions--;
  }

  #expansion(): void {
    const from = this.#pieces.length + 1;
    for (;;) {
      const unit = this.#inside("${");
      if (typeof unit !== "string") throw within(unit, "the braces after a $", "cannot be filled in safely");
      this.#write(unit);
      if (unit === "}") break;
      if ("'\"`\\$".includes(unit)) throw unclear("quotes or another $ in the braces after a $", "Make it simpler");
    }
    this.#evaluated.push(...evaluatedIn(this.#pieces.slice(from, -1).join("")));
  }

  #backticks(word: Word, quote: "bare" | "double"): void {
    const from = this.#pieces.length;
    this.#write("`");
    for (;;) {
      const unit = this.#inside("`");
      if (typeof unit !== "string") throw within(unit, "backticks", "cannot be filled in safely", "Write $(…) instead");
      this.#write(unit);
      if (unit === "`") return this.#expanded(word, quote, from);
      if (unit === "\\" && typeof this.#peek() === "string") this.#write(String(this.#next()));
    }
  }

  #slot(unit: { readonly value: string }, quote: Slot["quote"], word: Word): void {
    if (this.#expressions > 0) {
      const advice = "If these are subshells, put a space between the brackets; else move it out of there";
      throw within(unit, "((…))", "would be read as an expression", advice);
    }
    const slot: Slot = { name: unit.value, quote, word };
    word.cooked.push(slot);
    this.#pieces.push(slot);
  }

  #literal(unit: string, word: Word): void {
    word.cooked.push(unit);
    this.#write(unit);
  }

  /** Everything since that piece is something that the shell puts in. */
  #expanded(word: Word, quote: "bare" | "double", from: number): void {
    this.#plain = false;
    word.cooked.push({ expansion: this.#textOf({ from, to: this.#pieces.length }), quoted: quote === "double" });
  }

  #textOf({ from, to }: Pick<Word, "from" | "to">): string {
    const pieces = this.#pieces.slice(from, to);
    return pieces.map((piece) => (typeof piece === "string" ? piece : `{{${piece.name}}}`)).join("");
  }

  #wordOf(scope: Scope): Word {
    if (scope.word) return scope.word;
    const role = scope.redirects ? "target" : "argument";
    const from = this.#pieces.length;
    scope.redirects = false;
    scope.word = { from, to: from, cooked: [], role, afterDashes: false };
    return scope.word;
  }

  #endWord(scope: Scope, space = ""): void {
    if (scope.word) {
      scope.word.to = this.#pieces.length;
      scope.command.push(scope.word);
      this.#words.push(scope.word);
      scope.word = undefined;
    }
    this.#write(space);
  }

  #endCommand(scope: Scope): void {
    this.#endWord(scope);
    const words = scope.command.splice(0);
    const command = commandOf(words);
    judgeCommand(command, ({ from, to }) => this.#pieces.slice(from, to).filter(isSlot));
    for (const word of words) if (this.#textOf(word).startsWith("[")) refuseSubscript(word);
    scope.cases += countCases(words);
    this.#commandsRead.push(command);
    this.#evaluated.push(...evaluatedBy(command, (word) => this.#textOf(word)));
  }

  #write(text: string): void {
    if (this.#expressions > 0) this.#calculated += text;
    this.#pieces.push(text);
  }

  #peek(): Unit | undefined {
    return this.#units[this.#at];
  }

  #next(): Unit | undefined {
    return this.#units[this.#at++];
  }

  #inside(opened: string): Unit {
    const unit = this.#next();
    if (unit !== undefined) return unit;
    throw new TemplateProblem(`A ${opened} is not closed. Add its end.`);
  }
}

function countCases(command: readonly Word[]): number {
  const texts = command.map(literalOf);
  const begun = texts.filter((text, at) => text === "case" && texts[at + 2] === "in").length;
  return begun - (texts[0] === "esac" ? 1 : 0);
}

function show({ value }: { readonly value: string }): string {
  return `{{${value}}}`;
}

function escaped(before: string, unit: { readonly value: string }): TemplateProblem {
  return new TemplateProblem(
    `A "${before}" stands right before ${show(unit)}. Remove it; for the character itself, put '${before}' in single quotes.`,
  );
}

function within(unit: { readonly value: string }, where: string, why: string, instead?: string): TemplateProblem {
  const advice = instead ?? "Move it out of there";
  return new TemplateProblem(`${show(unit)} stands in ${where}, where it ${why}. ${advice}.`);
}

function unclear(what: string, advice: string): TemplateProblem {
  return new TemplateProblem(
    `A command with {{…}} cannot have ${what}: shells do not agree on where it ends. ${advice}, or put the command into a script file.`,
  );
}
