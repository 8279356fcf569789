import type { ToolEvent } from "./events.ts";
import type { PlainResult } from "./plain-result.ts";
import type { Problem } from "./problem.ts";
import type { JsonSchema } from "./schema.ts";
import type { Source } from "./tool.ts";

/** A tool as the REST API shows it. */
export interface ApiTool {
  readonly name: string;
  readonly description: string;
  readonly source: Source;
  /** Only where `source` is "plugin". */
  readonly pluginName?: string;
  readonly inputSchema: JsonSchema;
  /** What the `data` of its results is. Only where the tool declares it. */
  readonly outputSchema?: JsonSchema;
}

/** What `GET /api/tools` answers: the tools that can be called, and how many there are of each source. */
export interface ApiTools {
  readonly tools: readonly ApiTool[];
  readonly counts: Readonly<Record<Source | "total", number>>;
}

/** One thing that a reload found wrong. */
export interface ApiReloadError {
  /** The file. */
  readonly source: string;
  readonly toolName?: string;
  readonly message: string;
}

/** What `POST /api/tools/reload` answers. */
export interface ApiReload {
  /** Whether there are no errors. */
  readonly success: boolean;
  readonly toolCount: number;
  readonly errors: readonly ApiReloadError[];
}

/** What `GET /api/problems` answers: all that keeps tools from being served. */
export interface ApiProblems {
  readonly problems: readonly Problem[];
  readonly shadowed: readonly { readonly name: string; readonly file: string; readonly by: string }[];
  readonly blocked: readonly { readonly directory: string; readonly files: readonly string[]; readonly fix: string }[];
  readonly warnings: readonly { readonly file: string; readonly line?: number; readonly message: string }[];
}

/** What `POST /api/tools/:name/run` is sent. */
export interface ApiRunRequest {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly sessionID?: string;
  readonly agent?: string;
  readonly timeoutMs?: number;
}

/**
 * What is streamed of a call: its events as they happen, and its result last. The event that ends the call does not
 * carry the result, which follows at once.
 */
export type ApiRunEvent =
  | { [T in ToolEvent["type"]]: { readonly event: T; readonly data: Omit<EventOf<T>, "result"> } }[ToolEvent["type"]]
  | { readonly event: "result"; readonly data: PlainResult };

type EventOf<T extends ToolEvent["type"]> = Extract<ToolEvent, { readonly type: T }>;

/** Every way in which a request, and not a call, can be refused. Closed: a client may switch over it. */
export type ApiErrorCode =
  | "bad_request"
  | "unauthorized"
  | "denied"
  | "forbidden_host"
  | "forbidden_origin"
  | "not_found"
  | "method_not_allowed"
  | "timeout"
  | "too_large"
  | "unsupported_media_type"
  | "too_many_requests"
  | "headers_too_large"
  | "failed"
  | "busy"
  | "stopping";

/** What is answered where a request was refused. The message says what to do. */
export interface ApiError {
  readonly error: { readonly code: ApiErrorCode; readonly message: string };
}
