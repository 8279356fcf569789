import type { ApiAnswer } from "../core/api.ts";
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
} from "../core/api-sessions.ts";
import type { LoggedRule } from "../core/question.ts";
import { type FollowOptions, followEvents } from "./follow-events.ts";
import { getJson, postJson } from "./json-requests.ts";
import { readJsonResponse } from "./read-response.ts";
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
  const path = (id: string, rest = ""): string => `/api/sessions/${encodeURIComponent(id)}${rest}`;
  const get = <T>(where: string, more?: RequestOptions): Promise<T> => getJson<T>(server, where, more);
  const post = <T>(where: string, body: unknown, more?: RequestOptions): Promise<T> =>
    postJson<T>(server, where, body, more);
  return {
    create: (session, more) => post("/api/sessions", session, more),
    list: (query = {}, more) => get(`/api/sessions${toQuery(query)}`, more),
    get: (id, more) => get(path(id), more),
    send: (id, prompt, more) => post(path(id, "/messages"), { prompt }, more),
    cancel: (id, request = {}, more) => post(path(id, "/cancel"), request, more),
    branch: (id, request = {}, more) => post(path(id, "/branch"), request, more),
    answer: async (id, questionID, answer, more) => {
      await post(path(id, `/questions/${encodeURIComponent(questionID)}`), answer, more);
    },
    removeGrant: async (id, rule, more) => {
      await post(path(id, "/grants/remove"), rule, more);
    },
    remove: async (id, { signal } = {}) => {
      await readJsonResponse(await send(server, path(id), { method: "DELETE", signal }));
    },
    export: async (id, format = "jsonl", { signal } = {}) => {
      const response = await send(server, path(id, `/export${toQuery({ format })}`), { signal });
      return response.ok ? response.text() : readJsonResponse<string>(response);
    },
    events: (id, options) => followEvents(server, path(id, "/events"), options),
  };
}
