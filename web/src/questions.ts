import type { QuestionAskedEvent } from "../../src/surfaces/http/client/index.ts";
import { useClient, useResource } from "./server.ts";

/** The open questions of this server, oldest first. */
export function useQuestions(): readonly QuestionAskedEvent[] {
  const client = useClient();
  const { value } = useResource((signal) => client.questions({ signal }), { events: ["question", "answer"] });
  return value?.questions ?? [];
}

/** Whether a question is about a call that belongs to no conversation, such as one of the command line. */
export function isWithoutSession({ sessionID }: Pick<QuestionAskedEvent, "sessionID">): boolean {
  return sessionID === "default" || sessionID === "";
}
