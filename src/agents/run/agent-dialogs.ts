import type { AgentSessionOptions, DialogRequest } from "../../core/coding-agent.ts";
import type { DialogDetails } from "../../core/question.ts";

/** A question without an answer. The message is for the model. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
  /** "unasked": no person could be asked. */
  readonly kind: "closed" | "unasked";

  constructor({ kind, reason }: { readonly kind: "closed" | "unasked"; readonly reason: string }) {
    super(reason);
    this.kind = kind;
  }
}

/** The dialogs of one call of an agent's own tool. They reject with `Unanswered` if no person answers. */
export class AgentDialogs {
  readonly #ask: AgentSessionOptions["ask"];
  readonly #call: Omit<DialogRequest, "title" | "dialog">;

  constructor(ask: AgentSessionOptions["ask"], call: Omit<DialogRequest, "title" | "dialog">) {
    this.#ask = ask;
    this.#call = call;
  }

  async select(title: string, options: readonly string[]): Promise<string> {
    return String(await this.#open(title, { kind: "dialog", method: "select", options }));
  }

  async input(title: string, placeholder?: string): Promise<string> {
    const more = placeholder === undefined ? {} : { placeholder };
    return String(await this.#open(title, { kind: "dialog", method: "input", ...more }));
  }

  async confirm(title: string, message: string): Promise<boolean> {
    return (await this.#open(title, { kind: "dialog", method: "confirm", message: message.toWellFormed() })) === true;
  }

  async #open(title: string, dialog: DialogDetails): Promise<unknown> {
    const answer = await this.#ask({ ...this.#call, title: title.toWellFormed(), dialog });
    if (answer.kind !== "answered") throw new Unanswered(answer);
    return answer.value;
  }
}

/** The last choice of a list that also takes text. */
export const OTHER = "Something else …";

export interface Choice {
  /** What the agent gets. */
  readonly value: string;
  readonly shown: string;
}

/** Lets a person choose, or write a text if there are no choices, or if `takesText` and they choose `OTHER`. */
export async function chooseOrWrite(
  dialogs: AgentDialogs,
  title: string,
  { choices, takesText }: { readonly choices: readonly Choice[]; readonly takesText: boolean },
): Promise<{ readonly answer: string; readonly isText: boolean }> {
  if (choices.length === 0) return { answer: await dialogs.input(title), isText: true };
  const shown = choices.map((choice) => choice.shown.toWellFormed());
  const chosen = await dialogs.select(title, takesText ? [...shown, OTHER] : shown);
  const known = choices[shown.indexOf(chosen)];
  return known ? { answer: known.value, isText: false } : { answer: await dialogs.input(title), isText: true };
}
