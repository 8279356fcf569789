import type { ApiError, ApiProblems, ApiReload, ApiRunEvent, ApiTool, ApiTools } from "../core/api.ts";
import type { PlainResult } from "../core/plain-result.ts";
import { readEvents } from "./read-events.ts";
import { RequestRefused } from "./request-refused.ts";

/** Where a server is, and how it is spoken to. */
export interface ClientOptions {
  /** As `toolwright serve` prints it: `http://127.0.0.1:4141`. */
  readonly url: string;
  readonly token: string;
  /** By default the one that there is. */
  readonly fetch?: typeof globalThis.fetch;
}

/** What a running call shows. */
export type RunUpdate = Extract<ApiRunEvent, { readonly event: "tool.update" }>["data"];

export interface RunOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Told how the call goes on, while it runs. */
  readonly onUpdate?: (update: RunUpdate) => void;
  readonly sessionID?: string;
  readonly agent?: string;
  readonly timeoutMs?: number;
}

/** The REST API of a server. Whatever the server refuses rejects with a `RequestRefused`. */
export interface Client {
  readonly tools: {
    list(): Promise<ApiTools>;
    get(name: string): Promise<ApiTool>;
    /** Calls a tool. A call that failed is a result, not a rejection. */
    run(name: string, input?: Readonly<Record<string, unknown>>, options?: RunOptions): Promise<PlainResult>;
  };
  /** Looks at the tool files again. */
  reload(): Promise<ApiReload>;
  problems(): Promise<ApiProblems>;
}

/** A client of `toolwright serve`, for programs and for pages. */
export function createClient(options: ClientOptions): Client {
  const get = <T>(path: string): Promise<T> => send(options, path, {}).then(read<T>);
  const post = (path: string, init: RequestInit): Promise<Response> => send(options, path, { ...init, method: "POST" });
  return {
    tools: {
      list: () => get("/api/tools"),
      get: (name) => get(`/api/tools/${encodeURIComponent(name)}`),
      run: async (name, input = {}, { signal, onUpdate, ...more } = {}) => {
        const response = await post(`/api/tools/${encodeURIComponent(name)}/run`, {
          body: JSON.stringify({ input, ...more }),
          headers: {
            "content-type": "application/json",
            accept: onUpdate ? "text/event-stream" : "application/json",
          },
          ...(signal ? { signal } : {}),
        });
        return onUpdate && isStream(response) ? follow(response, onUpdate) : read<PlainResult>(response);
      },
    },
    reload: () => post("/api/tools/reload", {}).then(read<ApiReload>),
    problems: () => get("/api/problems"),
  };
}

function send(
  { url, token, fetch = globalThis.fetch }: ClientOptions,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = { ...(init.headers as Record<string, string> | undefined), authorization: `Bearer ${token}` };
  return fetch(`${url.replace(/\/+$/, "")}${path}`, { ...init, headers, redirect: "error" });
}

/** The result of a call is an answer whatever its status is. */
async function read<T>(response: Response): Promise<T> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (isResult(answer)) return answer as T;
  if (isError(answer)) throw new RequestRefused(response.status, answer.error);
  if (response.ok && answer !== undefined) return answer as T;
  throw new Error(`What answered with ${response.status} is not "toolwright serve". Look at the url.`);
}

function isResult(answer: unknown): boolean {
  return isObject(answer) && "ok" in answer;
}

function isError(answer: unknown): answer is ApiError {
  return isObject(answer) && isObject(answer.error) && typeof answer.error.message === "string";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function follow({ body }: Response, onUpdate: (update: RunUpdate) => void): Promise<PlainResult> {
  if (body) {
    for await (const { event, data } of readEvents(body)) {
      if (event === "tool.update") onUpdate(JSON.parse(data) as RunUpdate);
      if (event === "result") return JSON.parse(data) as PlainResult;
    }
  }
  throw new Error("The connection ended before the call did: whether it was made is not known.");
}
