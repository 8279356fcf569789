import type { EventBase, ToolEvent } from "./events.ts";
import type { LoggedRule } from "./permission-mode.ts";
import type { Access, AskRequest } from "./tool.ts";

export type { LoggedRule } from "./permission-mode.ts";

/** The part of a question that depends on its kind. */
export type QuestionDetails =
  /** May this call touch this? */
  | {
      readonly kind: "permission";
      readonly input: unknown;
      readonly access: readonly Access[];
      /** For how long a yes may apply. "once" is always among them. */
      readonly choices: readonly ("once" | "session" | "always")[];
      /** The rules that are remembered if a yes applies for longer than once. */
      readonly rules: readonly LoggedRule[];
      /** The settings file to which "always" adds these rules. */
      readonly settingsFile: string;
      /** Set if the tool itself asks while it runs. */
      readonly request?: AskRequest;
    }
  | DialogDetails;

/** A dialog of a tool file, or a question of an agent. Its answer has a `value`: a string, for "confirm" a boolean. */
export interface DialogDetails {
  readonly kind: "dialog";
  readonly method: "select" | "confirm" | "input" | "editor";
  /** The values to choose from, for "select". */
  readonly options?: readonly string[];
  /** The text below the title, for "confirm". */
  readonly message?: string;
  /** For "input". */
  readonly placeholder?: string;
  /** The text to edit, for "editor". */
  readonly prefill?: string;
}

/** A question to a person. It stays open until one `question.answered` with its id. */
export type LoggedQuestion = {
  readonly questionID: string;
  readonly callID: string;
  readonly tool: string;
  readonly agent: string;
  /** Why the question is asked, as a sentence; the title of a dialog. */
  readonly reason: string;
} & QuestionDetails;

/** The answer to a question. */
export interface QuestionAnswer {
  /** For a dialog: false if it was closed without an answer. */
  readonly allowed: boolean;
  /** For how long a yes applies; only once if left out. "always" is written to the user's settings. */
  readonly remember?: "session" | "always";
  /** Why not, for the model. */
  readonly reason?: string;
  /** The answer to a dialog. */
  readonly value?: unknown;
}

/** The end of a question. Each question has exactly one. */
export interface QuestionAnswered extends QuestionAnswer {
  readonly questionID: string;
  /** Set if no person answered: the call ended, or another answer allowed it. */
  readonly withdrawn?: true;
}

/** A question to a person about a call. It can be answered until the `question.answered` with the same `questionID`. */
export type QuestionAskedEvent = EventBase & { readonly type: "question.asked" } & LoggedQuestion;

/** The questions to people during a call, each with its one answer. */
export type QuestionEvent =
  | QuestionAskedEvent
  | (EventBase & { readonly type: "question.answered" } & QuestionAnswered);

/** The events of a run: those of its call, and the questions about it and about the calls that it makes. */
export type RunEvent = ToolEvent | QuestionEvent;
