import { CALCULATION, type Evaluated, evaluatedBy, refuseEvaluated } from "./shell-evaluation.ts";
import {
  type Command,
  checkCommand,
  commandOf,
  isAssignment,
  isShellOnly,
  isSlot,
  literalText,
  refuseSubscript,
  type Slot,
  type TemplatePart,
  type Word,
} from "./shell-words.ts";
import { ambiguousSyntax, showPlaceholder, TemplateProblem } from "./template-problem.ts";
import { TemplateSource, type Unit } from "./template-source.ts";
import { WordParser } from "./word-parser.ts";

export interface ParsedTemplate {
  /** The text as written, with slots for the values. */
  readonly pieces: readonly (string | Slot)[];
  /** All words, including those of commands inside words. */
  readonly words: readonly Word[];
  /** Whether it is one command of plain words, which needs no shell. */
  readonly plain: boolean;
}

/**
 * Parses a template like a POSIX shell, as far as needed to know how to quote each value. Throws a `TemplateProblem`
 * where that is not certain.
 */
export function parseTemplate(parts: readonly TemplatePart[]): ParsedTemplate {
  return new Parser(parts).parse();
}

/** The state of parsing the commands between two brackets, or of the whole template. */
interface Scope {
  readonly command: Word[];
  word: Word | undefined;
  /** Whether the next word is the target of a redirection. */
  redirects: boolean;
  depth: number;
  /** The depth of an open `((`. */
  expression: number | undefined;
  /** The number of open `case` commands: in `$(…)`, the bracket after a pattern would end the substitution. */
  cases: number;
}

class Parser {
  readonly #source: TemplateSource;
  readonly #wordParser: WordParser;
  readonly #words: Word[] = [];
  readonly #commandsRead: Command[] = [];
  readonly #evaluated: Evaluated[] = [];
  #plain = true;

  constructor(parts: readonly TemplatePart[]) {
    this.#source = new TemplateSource(parts);
    this.#wordParser = new WordParser(this.#source, () => this.#commands(")"));
  }

  parse(): ParsedTemplate {
    this.#commands("the end");
    const { pieces, expressions } = this.#source;
    const evaluated = [...this.#evaluated, ...this.#wordParser.evaluated, { where: CALCULATION, text: expressions }];
    refuseEvaluated({ commands: this.#commandsRead, pieces, evaluated });
    const [first] = this.#words;
    if (first && (isAssignment(first) || isShellOnly(literalText(first) ?? ""))) this.#plain = false;
    return { pieces, words: this.#words, plain: this.#plain && this.#wordParser.isPlain };
  }

  #commands(until: ")" | "the end"): void {
    const scope: Scope = { command: [], word: undefined, redirects: false, depth: 0, expression: undefined, cases: 0 };
    for (let unit = this.#source.next(); unit !== undefined; unit = this.#source.next()) {
      if (unit === until && scope.depth === 0) {
        this.#endCommand(scope);
        if (scope.cases > 0) throw ambiguousSyntax('a case in "$(…)" with patterns like a)', "Write (a)");
        return this.#source.write(")");
      }
      this.#bare(unit, scope);
    }
    this.#endCommand(scope);
    if (until === ")") throw new TemplateProblem('"$(" is not closed. Add the missing ")".');
  }

  #bare(unit: Unit, scope: Scope): void {
    if (typeof unit !== "string") return this.#wordParser.slot(unit, "bare", this.#wordOf(scope));
    if (unit === " " || unit === "\t") return this.#endWord(scope, unit);
    if (unit === "<" || unit === ">") return this.#redirection(unit, scope);
    if (unit === "#" && !scope.word) return this.#comment();
    if ("\n;&|()".includes(unit)) return this.#operator(unit, scope);
    const word = this.#wordOf(scope);
    if (unit === "\\") return this.#wordParser.escape(word);
    if (unit === "'") return this.#wordParser.single(word);
    if (unit === '"') return this.#wordParser.double(word);
    if (unit === "`") return this.#wordParser.backticks(word, "bare");
    if (unit === "$") return this.#wordParser.dollar(word, "bare");
    if ("*?[]~{}".includes(unit)) this.#plain = false;
    this.#wordParser.literal(unit, word);
  }

  #operator(unit: string, scope: Scope): void {
    this.#plain = false;
    this.#endCommand(scope);
    if (unit === "(") this.#open(scope);
    if (unit === ")") this.#close(scope);
    this.#source.write(unit);
  }

  /** Some shells read `((` as two subshells, others as an expression. */
  #open(scope: Scope): void {
    if (scope.expression === undefined && this.#source.peek() === "(") {
      scope.expression = scope.depth;
      this.#source.expressionDepth++;
    }
    scope.depth++;
  }

  #close(scope: Scope): void {
    // A pattern of `case` ends with a bracket that has no opening bracket.
    scope.depth = Math.max(0, scope.depth - 1);
    if (scope.depth !== scope.expression) return;
    scope.expression = undefined;
    this.#source.expressionDepth--;
  }

  #redirection(unit: string, scope: Scope): void {
    this.#plain = false;
    const isNumber = /^\d+$/.test(literalText(scope.word) ?? "");
    this.#endWord(scope);
    if (isNumber) scope.command.pop();
    this.#source.write(unit);
    if (unit === "<" && this.#source.peek() === "<") return this.#hereDocument();
    while (["<", ">", "&", "|"].includes(String(this.#source.peek()))) this.#source.write(String(this.#source.next()));
    scope.redirects = this.#source.peek() !== "(" && this.#source.peek() !== "-";
  }

  /** The rest of the template is passed on unchanged. */
  #hereDocument(): void {
    const rest = this.#source.rest();
    const placeholder = rest.find((unit) => typeof unit !== "string");
    if (placeholder) {
      const shown = showPlaceholder(placeholder);
      throw new TemplateProblem(
        `${shown} is in or after a here-document ("<<"), where it cannot be filled in safely. Write printf -- '%s' ${shown} | … instead.`,
      );
    }
    this.#source.write(rest.join(""));
  }

  #comment(): void {
    this.#plain = false;
    this.#source.write("#");
    while (this.#source.peek() !== undefined && this.#source.peek() !== "\n") {
      const unit = this.#source.next();
      if (typeof unit === "string") this.#source.write(unit);
    }
  }

  #wordOf(scope: Scope): Word {
    if (scope.word) return scope.word;
    const role = scope.redirects ? "target" : "argument";
    const from = this.#source.pieces.length;
    scope.redirects = false;
    scope.word = { from, to: from, unquoted: [], role, afterDashes: false };
    return scope.word;
  }

  #endWord(scope: Scope, space = ""): void {
    if (scope.word) {
      scope.word.to = this.#source.pieces.length;
      scope.command.push(scope.word);
      this.#words.push(scope.word);
      scope.word = undefined;
    }
    this.#source.write(space);
  }

  #endCommand(scope: Scope): void {
    this.#endWord(scope);
    const words = scope.command.splice(0);
    const command = commandOf(words);
    checkCommand(command, ({ from, to }) => this.#source.pieces.slice(from, to).filter(isSlot));
    for (const word of words) if (this.#source.textOf(word).startsWith("[")) refuseSubscript(word);
    scope.cases += countCases(words);
    this.#commandsRead.push(command);
    this.#evaluated.push(...evaluatedBy(command, (word) => this.#source.textOf(word)));
  }
}

function countCases(command: readonly Word[]): number {
  const texts = command.map(literalText);
  const begun = texts.filter((text, at) => text === "case" && texts[at + 2] === "in").length;
  return begun - (texts[0] === "esac" ? 1 : 0);
}
