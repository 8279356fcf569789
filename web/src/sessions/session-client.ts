import type {
  ApiMessageAccepted,
  ApiNewSession,
  ApiSessionCreated,
  ApiSessionDetails,
  ApiSessionEvent,
  ApiSessionQuery,
  ApiSessions,
} from "../../../src/core/api-sessions.ts";
import type { LoggedRule, QuestionAnswer } from "../../../src/core/question.ts";
import { useClient } from "../server.ts";

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** The requests about sessions. */
export interface SessionRequests {
  create(request: ApiNewSession, options?: Options): Promise<ApiSessionCreated>;
  list(query?: ApiSessionQuery, options?: Options): Promise<ApiSessions>;
  get(id: string, options?: Options): Promise<ApiSessionDetails>;
  send(id: string, prompt: string, options?: Options): Promise<ApiMessageAccepted>;
  cancel(id: string, options?: Options): Promise<void>;
  branch(id: string, branch?: { readonly at?: number }, options?: Options): Promise<ApiSessionCreated>;
  answer(id: string, questionID: string, answer: QuestionAnswer, options?: Options): Promise<void>;
  remove(id: string, options?: Options): Promise<void>;
  removeGrant(id: string, rule: LoggedRule, options?: Options): Promise<void>;
  events(id: string, options?: Options & { readonly after?: number }): AsyncIterable<ApiSessionEvent>;
}

export function useSessionClient(): SessionRequests {
  return (useClient() as unknown as { readonly sessions: SessionRequests }).sessions;
}
