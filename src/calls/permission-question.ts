import type { EventBase } from "../core/events.ts";
import type { QuestionAnswer, QuestionDetails } from "../core/question.ts";
import type { AskingCall } from "./call.ts";
import type { QuestionOutcome } from "./question-outcome.ts";

/** A question to a person: may this call touch this? */
export interface Question
  extends Omit<Extract<QuestionDetails, { kind: "permission" }>, "kind">,
    Pick<EventBase, "tool" | "callID" | "sessionID" | "agent"> {
  /** Why the question is asked, as a sentence. */
  readonly reason: string;
}

/** The answer of a person to a question. */
export type Answer =
  | {
      readonly allowed: true;
      /** For how long it applies; only once if left out. "always" is written to the user's settings. */
      readonly remember?: "session" | "always";
    }
  | { readonly allowed: false; readonly reason: string };

/**
 * Asks a person. The signal fires when the answer is no longer needed, for example because the question was answered elsewhere.
 * Resolves to undefined if it cannot ask anyone about this call.
 */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Answer | undefined>;

/** The reason of a no without a reason, for the model. */
const SAID_NO = "The user said no. Find another way, or tell the user.";

/** The reason of a no, for the model, with the text that a person typed. */
export function saidNo(typed = ""): string {
  const said = typed.trim();
  return said === "" ? SAID_NO : `The user said: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
}

/** A question to ask. */
export interface NewQuestion {
  /** Why it is asked, as a sentence; the title of a dialog. */
  readonly reason: string;
  readonly details: QuestionDetails;
  /**
   * Asks a person here, while the question can also be answered elsewhere. Resolves to undefined if it cannot ask anyone. The
   * signal fires when the question is closed by another answer, or withdrawn.
   */
  readonly askHere?: ((signal: AbortSignal) => Promise<QuestionAnswer | undefined>) | undefined;
  /** Withdraws the question when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer to another question meanwhile allows what this one asks for. */
  readonly isAllowed?: () => boolean;
}

/** The open questions about calls. */
export interface Questions {
  readonly approver: Approver | undefined;
  /** Asks, and resolves after the first answer. Never rejects. The clocks of the calls above this one stop meanwhile. */
  ask(call: AskingCall, question: NewQuestion): Promise<QuestionOutcome>;
  /** Withdraws the questions whose `isAllowed` is true now. */
  withdrawAllowed(): void;
}

/** Asks a person about a call. Resolves to undefined if no person can be asked. */
export async function askPermission(
  call: AskingCall,
  details: Pick<Question, "reason" | "choices" | "rules" | "settingsFile" | "request">,
  questions: Questions,
  isAllowed: () => boolean,
): Promise<Answer | undefined> {
  const { approver } = questions;
  if (!approver && !call.scope.answerable) return undefined;
  const { callID, sessionID, agent } = call.context;
  const { input, access, name: tool } = call;
  const { reason, ...offer } = details;
  const askHere =
    approver &&
    (async (signal: AbortSignal) =>
      fromApprover(await approver({ tool, callID, sessionID, agent, input, access, ...details }, signal)));
  const logged = { kind: "permission", input, access, ...offer } as const;
  return toAnswer(await questions.ask(call, { reason, details: logged, askHere, isAllowed }), reason);
}

/** Anything but a yes is a no. */
function fromApprover(answer: Answer | undefined): QuestionAnswer | undefined {
  if (answer === undefined) return undefined;
  if (answer.allowed !== true) return { allowed: false, reason: answer.reason || SAID_NO };
  const { remember } = answer;
  // An unknown value means once.
  return remember === "session" || remember === "always" ? { allowed: true, remember } : { allowed: true };
}

function toAnswer(outcome: QuestionOutcome, reason: string): Answer | undefined {
  switch (outcome.kind) {
    case "answered": {
      const { allowed, remember, reason: why } = outcome.answer;
      if (allowed) return remember === undefined ? { allowed } : { allowed, remember };
      return { allowed, reason: outcome.from === "here" && why !== undefined ? why : saidNo(why) };
    }
    case "allowed":
      return { allowed: true };
    case "cancelled":
    case "dismissed":
      return CANCELLED;
    case "unasked":
      return undefined;
    case "failed":
      return {
        allowed: false,
        reason: `${reason} ${outcome.what}, so it was refused. Find another way, or tell the user.`,
      };
  }
}

export const CANCELLED: Answer = {
  allowed: false,
  reason: "The call was cancelled before the question was answered.",
};
