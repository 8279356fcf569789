import type { AgentSessionOptions, DialogRequest } from "../../core/coding-agent.ts";
import type { DialogDetails } from "../../core/question.ts";

/** A question without an answer. The message is for the model. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** The dialogs of one call of an agent's own tool. They reject with `Unanswered` if no person answers. */
export class AgentDialogs {
  readonly #ask: AgentSessionOptions["ask"];
  readonly #call: Omit<DialogRequest, "title" | "dialog">;

  constructor(ask: AgentSessionOptions["ask"], call: Omit<DialogRequest, "title" | "dialog">) {
    this.#ask = ask;
    this.#call = call;
  }

  select(title: string, options: readonly string[]): Promise<string> {
    return this.#open(title, { kind: "dialog", method: "select", options });
  }

  input(title: string, placeholder?: string): Promise<string> {
    const more = placeholder === undefined ? {} : { placeholder };
    return this.#open(title, { kind: "dialog", method: "input", ...more });
  }

  async #open(title: string, dialog: DialogDetails): Promise<string> {
    const answer = await this.#ask({ ...this.#call, title: title.toWellFormed(), dialog });
    if (answer.kind !== "answered") throw new Unanswered(answer.reason);
    return String(answer.value);
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
