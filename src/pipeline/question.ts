import type { Access, AskRequest } from "../core/tool.ts";
import type { Offer } from "../permissions/offered-answers.ts";
import type { Rule } from "../permissions/rule.ts";
import type { Call } from "./call.ts";
import { type Answer, SAID_NO } from "./permission-answer.ts";

/** What a person is asked. */
export interface Question {
  readonly tool: string;
  readonly callID: string;
  readonly sessionID: string;
  readonly agent: string;
  readonly input: unknown;
  readonly access: readonly Access[];
  /** Why the question comes up, as a sentence. */
  readonly reason: string;
  /** For how long a yes may hold. "once" is always among them. */
  readonly choices: Offer["choices"];
  /** What is remembered where a yes is to hold for longer: just this. */
  readonly rules: readonly Rule[];
  /** The settings file into which "always" writes these rules. */
  readonly settingsFile: string;
  /** Set when the tool itself asks, while it runs. */
  readonly request?: AskRequest;
}

/** Puts a question to a person. The signal fires when nobody needs the answer any more. */
export type Approver = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Puts a question about a call to somebody. Whoever cannot be reached, or answers with anything else, has not said yes. */
export async function put(
  call: Call,
  about: Pick<Question, "reason" | "choices" | "rules" | "settingsFile" | "request">,
  approve: Approver,
  takenBack: AbortSignal,
): Promise<Answer> {
  const { callID, sessionID, agent } = call.context;
  const { input, access, name: tool } = call;
  // Fires as well when the call dies: whoever has the question on a screen takes it down.
  const over = new AbortController();
  call.atEnd.push(() => over.abort());
  try {
    const signal = AbortSignal.any([call.signal, over.signal, takenBack]);
    const answer = await approve({ tool, callID, sessionID, agent, input, access, ...about }, signal);
    if (answer.allowed === true) return toYes(answer);
    return { allowed: false, reason: answer.reason || SAID_NO };
  } catch {
    return {
      allowed: false,
      reason: `${about.reason} The question could not be put to anybody, so it was refused. Find another way, or tell the user.`,
    };
  }
}

/** A word that is not known is no yes for longer than this once. */
function toYes({ remember }: Answer & { allowed: true }): Answer {
  return remember === "session" || remember === "always" ? { allowed: true, remember } : { allowed: true };
}
