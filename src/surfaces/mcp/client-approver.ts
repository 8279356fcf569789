import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/server";
import type { Approver, Question } from "../../calls/permission-question.ts";
import { type Answer, saidNo } from "../../calls/permission-question.ts";
import { canShowForms } from "./input-requests.ts";
import type { OpenCalls } from "./open-calls.ts";

/**
 * Asks the user of the client that made a call, by elicitation. If the client cannot ask, the call is refused. Questions about
 * calls that no client made go to `fallback`. Without it, they are not asked.
 */
export function clientApprover(calls: OpenCalls, fallback?: Approver): Approver {
  return async (question, signal) => {
    const client = calls.clientOf(question.callID);
    if (!client) return fallback?.(question, signal);
    if (!canShowForms(client.capabilities)) {
      return refused(question, "No person can be asked here, so it was refused.");
    }
    // Clients since 2026-07-28 send answers by key. With a known key, one could answer before the person sees the question.
    const key = `permission-${crypto.randomUUID()}`;
    const { [key]: response } = await client.ask({ [key]: formFor(question) }, signal);
    return toApproval(response as ElicitResult, question);
  };
}

/** The reason explains the question as well, because some clients decline without asking a user. */
function refused(question: Question, outcome: string): Answer {
  return { allowed: false, reason: `${question.reason} ${outcome} ${remedy(question)}` };
}

/** The rule to add, if only a rule that names the target can allow the call (`named` access). Otherwise general advice. */
function remedy({ request, access, choices, rules, settingsFile }: Question): string {
  const isNamed = !request && access.some((each) => each !== "undeclared" && each.named);
  if (!isNamed || !choices.includes("always")) return "Find another way, or tell the user.";
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  return `To allow it, the user can add ${written} to "permissions" in ${settingsFile}.`;
}

/** A form with one choice among strings, which every client with elicitation can show. */
function formFor({ reason, request, choices, rules, settingsFile }: Question): ElicitRequest {
  const patterns = request?.patterns.length ? ` (${request.patterns.join(", ")})` : "";
  const written = rules.map((rule) => JSON.stringify(rule)).join(", ");
  const lines = [
    `${reason}${patterns}`,
    "once: yes, this once",
    ...(choices.includes("session") ? ["session: yes, until this connection ends"] : []),
    ...(choices.includes("always") ? [`always: adds ${written} to ${settingsFile}`] : []),
    "no: the model is told, with your reason if you enter one",
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

/** Refuses everything but an offered choice. */
function toApproval({ action, content }: ElicitResult, question: Question): Answer {
  if (action === "decline") return refused(question, "The user said no.");
  if (action === "cancel") return refused(question, "The user closed the question without an answer.");
  const { answer, reason } = content ?? {};
  if (answer === "once") return { allowed: true };
  if ((answer === "session" || answer === "always") && question.choices.includes(answer))
    return { allowed: true, remember: answer };
  return { allowed: false, reason: saidNo(typeof reason === "string" ? reason : "") };
}
