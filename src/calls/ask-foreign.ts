import type { DialogAnswer } from "../core/coding-agent.ts";
import { messageOf } from "../core/error.ts";
import type { DialogDetails } from "../core/question.ts";
import type { AskingCall } from "./call.ts";
import { createForeignCall, type ForeignCall } from "./permit-foreign.ts";
import type { PipelineParts } from "./pipeline-parts.ts";
import type { QuestionOutcome } from "./question-outcome.ts";

/** A call of an agent's own tool that asks a person. */
export interface AskingForeignCall extends Omit<ForeignCall, "access"> {
  readonly title: string;
  readonly dialog: DialogDetails;
}

/** Returns a function that opens dialogs for calls that the pipeline does not run. Never rejects. */
export function createForeignAsk(parts: PipelineParts): (request: AskingForeignCall) => Promise<DialogAnswer> {
  return async ({ title, dialog, ...request }) => {
    let call: AskingCall | undefined;
    try {
      call = createForeignCall(parts, { ...request, access: [] });
      return toDialogAnswer(await call.scope.session.ask({ title, dialog }, call));
    } catch (error) {
      return { kind: "unasked", reason: `The question could not be asked: ${messageOf(error)}` };
    } finally {
      for (const finish of [...(call?.atEnd ?? [])]) finish();
    }
  };
}

const NO_PERSON = "No person can be asked here. Decide yourself, or say in your answer what you need to know.";

function toDialogAnswer(outcome: QuestionOutcome): DialogAnswer {
  switch (outcome.kind) {
    case "answered": {
      const { allowed, value, reason = "" } = outcome.answer;
      if (allowed) return { kind: "answered", value };
      const said = reason.trim() === "" ? "" : ` They said: ${reason.trim()}`;
      return { kind: "closed", reason: `The user closed the question without an answer.${said}` };
    }
    case "failed":
      return { kind: "unasked", reason: `${outcome.what}. Decide yourself, or ask in your answer.` };
    case "unasked":
      return { kind: "unasked", reason: NO_PERSON };
    default:
      return { kind: "closed", reason: "The question was withdrawn, because its call has ended." };
  }
}
