import type { Slot, TemplatePart, Word } from "./shell-words.ts";
import { type Placeholder, TemplateProblem } from "./template-problem.ts";

/** One character, or a placeholder. */
export type Unit = string | Placeholder;

/** Reads a template unit by unit, and collects the pieces of the parsed template. */
export class TemplateSource {
  readonly pieces: (string | Slot)[] = [];
  /** The nesting depth of arithmetic expressions. */
  expressionDepth = 0;
  readonly #units: readonly Unit[];
  #at = 0;
  #expressions = "";

  constructor(parts: readonly TemplatePart[]) {
    this.#units = parts.flatMap((part): Unit[] => (typeof part === "string" ? part.split("") : [part]));
  }

  /** The text of all arithmetic expressions. */
  get expressions(): string {
    return this.#expressions;
  }

  peek(): Unit | undefined {
    return this.#units[this.#at];
  }

  next(): Unit | undefined {
    return this.#units[this.#at++];
  }

  /** The next unit inside the construct that `opened` starts. Throws at the end of the template. */
  nextInside(opened: string): Unit {
    const unit = this.next();
    if (unit !== undefined) return unit;
    throw new TemplateProblem(`A ${opened} is not closed. Add its end.`);
  }

  rest(): readonly Unit[] {
    const units = this.#units.slice(this.#at);
    this.#at = this.#units.length;
    return units;
  }

  write(text: string): void {
    if (this.expressionDepth > 0) this.#expressions += text;
    this.pieces.push(text);
  }

  /** The pieces of a range as the author wrote them. */
  textOf({ from, to }: Pick<Word, "from" | "to">): string {
    const pieces = this.pieces.slice(from, to);
    return pieces.map((piece) => (typeof piece === "string" ? piece : `{{${piece.name}}}`)).join("");
  }
}
