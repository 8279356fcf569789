import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/server";
import type { Approver, Question } from "../pipeline/permission-question.ts";
import { type Answer, SAID_NO } from "../pipeline/permission-question.ts";
import { canShowForms } from "./input-requests.ts";
import { SHARED_SESSION_ID } from "./mcp-client.ts";
import type { OpenCalls } from "./open-calls.ts";

/**
 * Puts questions about calls to the users of the clients that made them. Calls that no client made are for `otherwise`;
 * where nobody can be asked, the answer is no.
 */
export function clientApprover(calls: OpenCalls, otherwise?: Approver): Approver {
  return async (asked, signal) => {
    const client = calls.clientOf(asked.callID);
    if (!client && otherwise) return otherwise(asked, signal);
    const question = asked.sessionID === SHARED_SESSION_ID ? withoutSession(asked) : asked;
    if (!client || !canShowForms(client.capabilities)) {
      return refused(question, "Nobody can be asked here, so it was refused.");
    }
    // Another word each time, or an answer could be given before the question.
    const key = `permission-${crypto.randomUUID()}`;
    const { [key]: response } = await client.ask({ [key]: formFor(question) }, signal);
    return toAnswer(response as ElicitResult, question);
  };
}

/** A yes for a session that clients share would hold for all of them, and have no end. */
function withoutSession(question: Question): Question {
  return { ...question, choices: question.choices.filter((choice) => choice !== "session") };
}

/** A no that may well be nobody's: some clients answer by themselves where no user is there. */
function refused(question: Question, how: string): Answer {
  return { allowed: false, reason: `${question.reason} ${how} ${remedy(question)}` };
}

/** Where a general yes would not have helped, it must be said which one would. */
function remedy({ request, access, choices, rules, settingsFile }: Question): string {
  const isNamed = !request && access.some((each) => each !== "undeclared" && each.named);
  if (!isNamed || !choices.includes("always")) return "Find another way, or tell the user.";
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  return `To allow it, the user can add ${written} to "permissions" in ${settingsFile}.`;
}

/** The question as a form. Every client that has forms at all can show one choice among words. */
function formFor({ reason, request, choices, rules, settingsFile }: Question): ElicitRequest {
  const about = request?.patterns.length ? ` (${request.patterns.join(", ")})` : "";
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  const lines = [
    `${reason}${about}`,
    "once: yes, this once",
    ...(choices.includes("session") ? ["session: yes, until this connection ends"] : []),
    ...(choices.includes("always") ? [`always: adds ${written} to ${settingsFile}`] : []),
    "no: the model is told, and why if you say so",
  ];
  return {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: lines.join("\n"),
      requestedSchema: {
        type: "object",
        properties: {
          answer: { type: "string", title: "Allow it?", enum: [...choices, "no"] },
          reason: { type: "string", title: "Why not", description: "The model reads it." },
        },
        required: ["answer"],
      },
    },
  };
}

/** Anything but a clear yes is a no. */
export function toAnswer({ action, content }: ElicitResult, question: Question): Answer {
  if (action === "decline") return refused(question, "The user said no.");
  if (action === "cancel") return refused(question, "The user closed the question without an answer.");
  const { answer, reason } = content ?? {};
  if (answer === "once") return { allowed: true };
  if ((answer === "session" || answer === "always") && question.choices.includes(answer))
    return { allowed: true, remember: answer };
  const said = typeof reason === "string" ? reason.trim() : "";
  if (said === "") return { allowed: false, reason: SAID_NO };
  return { allowed: false, reason: `The user said: ${said}${/[.!?]$/.test(said) ? "" : "."}` };
}
