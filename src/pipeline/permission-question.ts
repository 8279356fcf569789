import type { Access, AskRequest } from "../core/tool.ts";
import type { ApprovalOptions } from "../permissions/approval-options.ts";
import type { Rule } from "../permissions/rule.ts";
import type { Call } from "./call.ts";

/** A question to a person: may this call touch this? */
export interface Question {
  readonly tool: string;
  readonly callID: string;
  readonly sessionID: string;
  readonly agent: string;
  readonly input: unknown;
  readonly access: readonly Access[];
  /** Why the question is asked, as a sentence. */
  readonly reason: string;
  /** For how long a yes may apply. "once" is always among them. */
  readonly choices: ApprovalOptions["choices"];
  /** The rules that are remembered if a yes applies for longer than once. */
  readonly rules: readonly Rule[];
  /** The settings file to which "always" adds these rules. */
  readonly settingsFile: string;
  /** Set if the tool itself asks while it runs. */
  readonly request?: AskRequest;
}

/** The answer of a person to a question. */
export type Answer =
  | {
      readonly allowed: true;
      /** For how long it applies; only once if left out. "always" is written to the user's settings. */
      readonly remember?: "session" | "always";
    }
  | { readonly allowed: false; readonly reason: string };

/** Asks a person. The signal fires when the answer is no longer needed. */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** The reason of a no without a reason, for the model. */
export const SAID_NO = "The user said no. Find another way, or tell the user.";

/** Asks a person about a call. If the approver fails, or answers with anything but a yes, the answer is no. */
export async function askPerson(
  call: Call,
  details: Pick<Question, "reason" | "choices" | "rules" | "settingsFile" | "request">,
  approve: Approver,
  withdrawn: AbortSignal,
): Promise<Answer> {
  const { callID, sessionID, agent } = call.context;
  const { input, access, name: tool } = call;
  // The question must disappear from the screen when the call ends, for example because its process died.
  const over = new AbortController();
  call.atEnd.push(() => over.abort());
  try {
    const signal = AbortSignal.any([call.signal, over.signal, withdrawn]);
    const answer = await approve({ tool, callID, sessionID, agent, input, access, ...details }, signal);
    if (answer.allowed === true) return toYes(answer);
    return { allowed: false, reason: answer.reason || SAID_NO };
  } catch {
    return {
      allowed: false,
      reason: `${details.reason} The question could not be asked, so it was refused. Find another way, or tell the user.`,
    };
  }
}

/** An unknown value of `remember` means once. */
function toYes({ remember }: Answer & { allowed: true }): Answer {
  return remember === "session" || remember === "always" ? { allowed: true, remember } : { allowed: true };
}

/** The questions that wait for an answer. A question is withdrawn if the answer to another one allows what it asks for. */
export class PendingQuestions {
  readonly #pending = new Map<() => boolean, () => void>();

  /** `isAllowed` decides again, under the current rules. The signal fires when the question is withdrawn. `ask` must not reject. */
  async ask(isAllowed: () => boolean, ask: (withdrawn: AbortSignal) => Promise<Answer>): Promise<Answer> {
    const controller = new AbortController();
    const allowed = Promise.withResolvers<Answer>();
    this.#pending.set(isAllowed, () => {
      allowed.resolve({ allowed: true });
      controller.abort();
    });
    try {
      return await Promise.race([ask(controller.signal), allowed.promise]);
    } finally {
      this.#pending.delete(isAllowed);
    }
  }

  withdrawAllowed(): void {
    for (const [isAllowed, withdraw] of [...this.#pending]) if (isAllowed()) withdraw();
  }
}
