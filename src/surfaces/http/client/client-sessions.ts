import type { ApiAnswer } from "../../../core/api.ts";
import type {
  ApiBranch,
  ApiCancel,
  ApiCancelled,
  ApiMessageAccepted,
  ApiNewSession,
  ApiSessionCreated,
  ApiSessionDetails,
  ApiSessionEvent,
  ApiSessionQuery,
  ApiSessions,
} from "../../../core/api-sessions.ts";
import type { LoggedRule } from "../../../core/question.ts";
import { type FollowOptions, followEvents } from "./follow-events.ts";
import { readJsonResponse } from "./read-response.ts";
import { askServer, tellServer } from "./request.ts";
import { type RequestOptions, type ServerAddress, send, toQuery } from "./send.ts";

/** The sessions of agents on a server. */
export interface ClientSessions {
  /** Creates a session and begins its first turn. Resolves when both are durable, not when the turn has ended. */
  create(session: ApiNewSession, options?: RequestOptions): Promise<ApiSessionCreated>;
  list(query?: ApiSessionQuery, options?: RequestOptions): Promise<ApiSessions>;
  get(id: string, options?: RequestOptions): Promise<ApiSessionDetails>;
  /** Begins the next turn with a message. Resolves when the message is durable. Refused with "conflict" while a turn runs. */
  send(id: string, prompt: string, options?: RequestOptions): Promise<ApiMessageAccepted>;
  /** Asks to stop the turn and all calls, or one call. */
  cancel(id: string, request?: ApiCancel, options?: RequestOptions): Promise<ApiCancelled>;
  /** Creates a session with the events of this one, up to a position. */
  branch(id: string, request?: ApiBranch, options?: RequestOptions): Promise<ApiSessionCreated>;
  /** Answers a question of the session (`permission`). The first answer counts: later ones are refused with "conflict". */
  answer(id: string, questionID: string, answer: ApiAnswer, options?: RequestOptions): Promise<void>;
  /** Takes back a rule that was granted for the session. */
  removeGrant(id: string, rule: LoggedRule, options?: RequestOptions): Promise<void>;
  /** Removes the session and its events. Refused with "conflict" while it runs. */
  remove(id: string, options?: RequestOptions): Promise<void>;
  /** The whole session as text: one stored event per line, or a document for people. */
  export(id: string, format?: "jsonl" | "markdown", options?: RequestOptions): Promise<string>;
  /**
   * The events of a session after a position, then new ones as they occur. A lost connection is opened again, and no event is
   * missing or repeated. Ends when the signal fires. Rejects if the server cannot be reached at first (but see `untilReached`), and whenever it refuses
   * the request: because of the token, or because the session does not exist.
   */
  events(id: string, options?: FollowOptions): AsyncIterable<ApiSessionEvent>;
}

export function clientSessions(server: ServerAddress): ClientSessions {
  const ask = askServer(server);
  const tell = tellServer(server);
  const path = (id: string, rest: string): string => `/api/sessions/${encodeURIComponent(id)}${rest}`;
  return {
    create: (body, more) => ask("POST /api/sessions", { body }, more),
    list: (query = {}, more) => ask("GET /api/sessions", { query }, more),
    get: (id, more) => ask("GET /api/sessions/{id}", { path: { id } }, more),
    send: (id, prompt, more) => ask("POST /api/sessions/{id}/messages", { path: { id }, body: { prompt } }, more),
    cancel: (id, body = {}, more) => ask("POST /api/sessions/{id}/cancel", { path: { id }, body }, more),
    branch: (id, body = {}, more) => ask("POST /api/sessions/{id}/branch", { path: { id }, body }, more),
    answer: (id, question, body, more) =>
      tell("POST /api/sessions/{id}/questions/{question}", { path: { id, question }, body }, more),
    removeGrant: (id, body, more) => tell("POST /api/sessions/{id}/grants/remove", { path: { id }, body }, more),
    remove: (id, more) => tell("DELETE /api/sessions/{id}", { path: { id } }, more),
    export: async (id, format = "jsonl", { signal } = {}) => {
      const response = await send(server, path(id, `/export${toQuery({ format })}`), { signal });
      return response.ok ? response.text() : readJsonResponse<string>(response);
    },
    events: (id, options) => followEvents(server, path(id, "/events"), options),
  };
}
