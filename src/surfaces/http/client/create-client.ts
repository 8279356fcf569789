import type {
  ApiAnswer,
  ApiProblems,
  ApiQuestions,
  ApiReload,
  ApiRunEvent,
  ApiTool,
  ApiTools,
} from "../../../core/api.ts";
import type { PlainResult } from "../../../core/plain-result.ts";
import type { QuestionEvent } from "../../../core/question.ts";
import { unknownEffect } from "../../../core/unknown-effect.ts";
import { type ClientSessions, clientSessions } from "./client-sessions.ts";
import { type PageRequests, pageRequests } from "./page-requests.ts";
import { readEvents } from "./read-events.ts";
import { readJsonResponse } from "./read-response.ts";
import { askServer, tellServer } from "./request.ts";
import { type ClientOptions, connectionTo, type RequestOptions, type ServerAddress, send } from "./send.ts";

/** The data of a `tool.update` event. */
export type RunUpdate = Extract<ApiRunEvent, { readonly event: "tool.update" }>["data"];

export interface RunOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each update while the call runs. */
  readonly onUpdate?: ((update: RunUpdate) => void) | undefined;
  /**
   * Called when a question about the call is asked (`question.asked`), to be answered with `answer`, and when it has been
   * answered. Without it, a call that needs an answer is refused.
   */
  readonly onQuestion?: ((event: QuestionEvent) => void) | undefined;
  readonly sessionID?: string | undefined;
  readonly agent?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The REST API of a server. Requests that the server refuses reject with `RequestRefused`. */
export interface Client extends PageRequests {
  readonly tools: {
    list(options?: RequestOptions): Promise<ApiTools>;
    get(name: string, options?: RequestOptions): Promise<ApiTool>;
    /** Calls a tool. A call that failed is a result, not a rejection. */
    run(name: string, input?: Readonly<Record<string, unknown>>, options?: RunOptions): Promise<PlainResult>;
  };
  readonly sessions: ClientSessions;
  /** Reads the tool files again. */
  reload(options?: RequestOptions): Promise<ApiReload>;
  problems(options?: RequestOptions): Promise<ApiProblems>;
  /** The open questions about calls, also about calls of other clients. */
  questions(options?: RequestOptions): Promise<ApiQuestions>;
  /** Answers a question. The first answer counts: later ones are refused with the code "conflict". */
  answer(questionID: string, answer: ApiAnswer, options?: RequestOptions): Promise<void>;
}

/** A client of `toolwright serve`, for programs and web pages. Throws if the url is not valid. */
export function createClient(options: ClientOptions): Client {
  const server = connectionTo(options);
  const ask = askServer(server);
  const tell = tellServer(server);
  return {
    tools: {
      list: (more) => ask("GET /api/tools", {}, more),
      get: (name, more) => ask("GET /api/tools/{name}", { path: { name } }, more),
      run: (name, input, more) => run(server, name, input, more),
    },
    sessions: clientSessions(server),
    reload: (more) => ask("POST /api/tools/reload", {}, more),
    problems: (more) => ask("GET /api/problems", {}, more),
    questions: (more) => ask("GET /api/questions", {}, more),
    answer: (id, body, more) => tell("POST /api/questions/{id}", { path: { id }, body }, more),
    ...pageRequests(server),
  };
}

/** Always requests an event stream, whose heartbeats keep the connection of a long call open. */
async function run(
  server: ServerAddress,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  { signal, onUpdate, onQuestion, ...more }: RunOptions = {},
): Promise<PlainResult> {
  const response = await send(server, `/api/tools/${encodeURIComponent(name)}/run`, {
    method: "POST",
    body: JSON.stringify({ input, ...more, answerable: onQuestion !== undefined }),
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    signal,
  });
  return isStream(response) ? follow(response, { onUpdate, onQuestion }) : readJsonResponse<PlainResult>(response);
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function follow(
  { body }: Response,
  { onUpdate, onQuestion }: Pick<RunOptions, "onUpdate" | "onQuestion">,
): Promise<PlainResult> {
  if (body) {
    for await (const { event, data } of readEvents(body)) {
      if (event === "tool.update") onUpdate?.(JSON.parse(data) as RunUpdate);
      if (event === "question.asked" || event === "question.answered") onQuestion?.(JSON.parse(data) as QuestionEvent);
      if (event === "result") return JSON.parse(data) as PlainResult;
    }
  }
  throw new Error(`The connection ended before the call did. ${unknownEffect()}`);
}
