import type { ToolEvent } from "./events.ts";
import type { PlainResult } from "./plain-result.ts";
import type { Problem } from "./problem.ts";
import type { QuestionAnswer, QuestionAskedEvent, QuestionEvent } from "./question.ts";
import type { JsonSchema } from "./schema.ts";
import type { Source } from "./tool.ts";

/** A tool in the REST API. */
export interface ApiTool {
  readonly name: string;
  readonly description: string;
  readonly source: Source;
  /** Only if `source` is "plugin". */
  readonly pluginName?: string;
  readonly inputSchema: JsonSchema;
  /** The schema of `data` in its results. Only if the tool declares it. */
  readonly outputSchema?: JsonSchema;
}

/** The response of `GET /api/tools`: the tools that can be called, and their number by source. */
export interface ApiTools {
  readonly tools: readonly ApiTool[];
  readonly counts: Readonly<Record<Source | "total", number>>;
}

/** A problem found by a reload. */
export interface ApiReloadError {
  /** The file. */
  readonly source: string;
  readonly toolName?: string;
  readonly message: string;
}

/** The response of `POST /api/tools/reload`. */
export interface ApiReload {
  /** Whether there are no errors. */
  readonly success: boolean;
  readonly toolCount: number;
  readonly errors: readonly ApiReloadError[];
}

/** The response of `GET /api/problems`: everything that keeps tools from being served. */
export interface ApiProblems {
  readonly problems: readonly Problem[];
  readonly shadowed: readonly {
    readonly name: string;
    readonly file: string;
    readonly by: string;
    /** Set for a built-in tool. */
    readonly builtin?: true;
  }[];
  readonly blocked: readonly { readonly directory: string; readonly files: readonly string[]; readonly fix: string }[];
  readonly warnings: readonly { readonly file: string; readonly line?: number; readonly message: string }[];
}

/** The request body of `POST /api/tools/:name/run`. */
export interface ApiRunRequest {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly sessionID?: string;
  readonly agent?: string;
  readonly timeoutMs?: number;
  /**
   * Whether questions about the call are asked, to be answered with `POST /api/questions/:id`. Only for an event stream, where
   * it is true by default.
   */
  readonly answerable?: boolean;
}

/** The request body of `POST /api/questions/:id`. */
export type ApiAnswer = QuestionAnswer;

/** The response of `GET /api/questions`: the open questions, oldest first. */
export interface ApiQuestions {
  readonly questions: readonly QuestionAskedEvent[];
}

/**
 * An event in the stream of a call. The result is the last event. The event before it, which ends the call, does not
 * contain the result.
 */
export type ApiRunEvent =
  | { [T in ToolEvent["type"]]: { readonly event: T; readonly data: Omit<EventOf<T>, "result"> } }[ToolEvent["type"]]
  | {
      [T in QuestionEvent["type"]]: { readonly event: T; readonly data: Extract<QuestionEvent, { readonly type: T }> };
    }[QuestionEvent["type"]]
  | { readonly event: "result"; readonly data: PlainResult };

type EventOf<T extends ToolEvent["type"]> = Extract<ToolEvent, { readonly type: T }>;

/** The reasons to refuse a request, as opposed to a failed call. A closed set: clients may switch over it. */
export type ApiErrorCode =
  | "bad_request"
  | "unauthorized"
  | "denied"
  | "forbidden_host"
  | "forbidden_origin"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "timeout"
  | "too_large"
  | "unsupported_media_type"
  | "too_many_requests"
  | "headers_too_large"
  | "failed"
  | "busy"
  /** The sessions on disk cannot be used. Calls without a session can be made. */
  | "sessions_unavailable"
  | "stopping";

/** The response to a refused request. The message says what to do. */
export interface ApiError {
  readonly error: { readonly code: ApiErrorCode; readonly message: string };
}
