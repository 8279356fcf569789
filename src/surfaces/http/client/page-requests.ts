import type {
  ApiAgents,
  ApiCallQuery,
  ApiCallSummary,
  ApiCalls,
  ApiCatalog,
  ApiExplainRequest,
  ApiExplanation,
  ApiGivenAnswers,
  ApiPageEvent,
  ApiPermissions,
  ApiRemoveRule,
  ApiRendering,
  ApiRenderRequest,
} from "../../../core/api-page.ts";
import { readEvents } from "./read-events.ts";
import { readJsonResponse } from "./read-response.ts";
import { askServer, tellServer } from "./request.ts";
import { type RequestOptions, type ServerAddress, send } from "./send.ts";

interface EventsOptions extends RequestOptions {
  /** Called whenever the server has sent something, also a comment that keeps the connection open. */
  readonly onData?: (() => void) | undefined;
}

/** The requests that the page of the server makes in addition to calls and sessions. */
export interface PageRequests {
  /** All tools, also disabled ones, and everything that keeps others from being served. */
  catalog(options?: RequestOptions): Promise<ApiCatalog>;
  /** Finished calls from the audit log, the latest first. */
  calls(query?: ApiCallQuery, options?: RequestOptions): Promise<ApiCalls>;
  callSummary(query?: ApiCallQuery, options?: RequestOptions): Promise<ApiCallSummary>;
  agents(options?: RequestOptions): Promise<ApiAgents>;
  permissions(options?: RequestOptions): Promise<ApiPermissions>;
  /** The answers that people have given in the sessions of the project, the latest first. */
  givenAnswers(options?: RequestOptions): Promise<ApiGivenAnswers>;
  /** Which rule decides about a call. */
  explain(request: ApiExplainRequest, options?: RequestOptions): Promise<ApiExplanation>;
  /** Removes a rule from the user's settings. */
  removeRule(rule: ApiRemoveRule, options?: RequestOptions): Promise<void>;
  /** The author's own rendering of a call or its result. */
  render(tool: string, view: ApiRenderRequest, options?: RequestOptions): Promise<ApiRendering>;
  /** Changes on the server, until the stream ends. */
  events(options?: EventsOptions): AsyncIterable<ApiPageEvent>;
  /** Sets the cookie of the page, after which requests need no token. */
  login(token: string, options?: RequestOptions): Promise<void>;
  logout(options?: RequestOptions): Promise<void>;
}

export function pageRequests(server: ServerAddress): PageRequests {
  const ask = askServer(server);
  const tell = tellServer(server);
  return {
    catalog: (more) => ask("GET /api/catalog", {}, more),
    calls: (query = {}, more) => ask("GET /api/calls", { query }, more),
    callSummary: (query = {}, more) => ask("GET /api/calls/summary", { query }, more),
    agents: (more) => ask("GET /api/agents", {}, more),
    permissions: (more) => ask("GET /api/permissions", {}, more),
    givenAnswers: (more) => ask("GET /api/permissions/answers", {}, more),
    explain: (body, more) => ask("POST /api/permissions/explain", { body }, more),
    removeRule: (body, more) => tell("POST /api/permissions/remove", { body }, more),
    render: (name, body, more) => ask("POST /api/tools/{name}/render", { path: { name }, body }, more),
    events: (more) => pageEvents(server, more),
    login: (token, more) => tell("POST /api/login", { body: { token } }, more),
    logout: (more) => tell("POST /api/logout", {}, more),
  };
}

async function* pageEvents(
  server: ServerAddress,
  { signal, onData }: EventsOptions = {},
): AsyncGenerator<ApiPageEvent> {
  const response = await send(server, "/api/events", { headers: { accept: "text/event-stream" }, signal });
  if (!response.ok || !response.body) return void (await readJsonResponse(response));
  const bytes = onData ? response.body.pipeThrough(reporting(onData)) : response.body;
  for await (const { event, data } of readEvents(bytes)) yield { event, data: JSON.parse(data) } as ApiPageEvent;
}

function reporting(onData: () => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      onData();
      controller.enqueue(chunk);
    },
  });
}
