import type { ApiProblems } from "./api.ts";
import type { ApiMode } from "./api-sessions.ts";
import type { Caller } from "./caller.ts";
import type { ToolErrorCode } from "./error.ts";
import type { LoggedRule, QuestionAnswered, QuestionAskedEvent } from "./question.ts";
import type { JsonSchema } from "./schema.ts";
import type { Access, Format, Hints, PlaceKind, Source } from "./tool.ts";

/** A tool with all that the page shows of it. */
export interface ApiCatalogTool {
  readonly name: string;
  readonly description: string;
  readonly source: Source;
  readonly place: PlaceKind;
  readonly format: Format;
  readonly file: string;
  /** The line of its definition, if known. */
  readonly line?: number;
  readonly pluginName?: string;
  readonly pluginVersion?: string;
  readonly enabled: boolean;
  readonly overridesBuiltin?: true;
  readonly hints: Hints;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** The response of `GET /api/catalog`: all tools, also disabled ones, and what keeps others from being served. */
export interface ApiCatalog extends ApiProblems {
  readonly version: string;
  readonly project: { readonly directory: string; readonly root: string; readonly trusted: boolean };
  readonly tools: readonly ApiCatalogTool[];
  /** Files and MCP servers that are still being read. */
  readonly loading: readonly string[];
  /** The command line that starts this program, for commands to copy, such as `toolwright`. */
  readonly command: string;
  /** The options with which other commands find the same tools, quoted for a shell, such as `--cwd /home/me/project`. */
  readonly commandOptions: string;
}

/** A finished call, from the audit log of this user. Secrets in `input` are masked. */
export interface ApiCall {
  readonly callID: string;
  readonly tool: string;
  readonly sessionID: string;
  /** The agent or MCP client that made it; empty if there is none. */
  readonly agent: string;
  /** How it was made. Absent for calls that an earlier version recorded. */
  readonly caller?: Caller;
  readonly parentID?: string;
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  readonly ok: boolean;
  readonly error?: { readonly code: ToolErrorCode; readonly message: string };
  readonly input: unknown;
}

/** A call that runs. */
export type ApiCallStart = Pick<ApiCall, "callID" | "tool" | "sessionID" | "agent" | "caller" | "parentID" | "at">;

/** The query of `GET /api/calls` and `GET /api/calls/summary`. */
export interface ApiCallQuery {
  /** The `next` of the page before. Not for the summary. */
  readonly cursor?: string;
  /** 50 by default, at most 200. Not for the summary. */
  readonly limit?: number;
  readonly tool?: string;
  readonly outcome?: "ok" | "failed";
  readonly sessionID?: string;
  readonly agent?: string;
  readonly caller?: Caller;
  /** Only calls that ended at or after this time, in milliseconds since the epoch. */
  readonly since?: number;
}

/** The response of `GET /api/calls`: the latest first. */
export interface ApiCalls {
  readonly calls: readonly ApiCall[];
  readonly next?: string;
}

/** The response of `GET /api/calls/summary`. */
export interface ApiCallSummary {
  readonly since: number;
  readonly until: number;
  readonly total: number;
  readonly failed: number;
  /** Equal spans of time from `since` to `until`, oldest first. */
  readonly buckets: readonly { readonly at: number; readonly ok: number; readonly failed: number }[];
  /** The tools with the most calls first. Durations in milliseconds. */
  readonly tools: readonly {
    readonly tool: string;
    readonly calls: number;
    readonly failed: number;
    readonly p50: number;
    readonly p95: number;
  }[];
}

/** An agent that can run sessions here. */
export interface ApiRunnableAgent {
  readonly name: string;
  readonly status: "ready" | "not_installed" | "broken";
  readonly version?: string;
  /** What is wrong. */
  readonly problem?: string;
  /** The command that installs what is missing. */
  readonly install?: string;
  readonly isDefault: boolean;
}

/** An agent on this machine that takes tools from an MCP configuration file. */
export interface ApiConfiguredAgent {
  readonly id: string;
  readonly name: string;
  readonly present: boolean;
  readonly installations: readonly {
    readonly level: string;
    readonly file: string;
    readonly name: string;
    readonly status: "ok" | "stale" | "off" | "foreign";
  }[];
  readonly problems: readonly string[];
  /** The command that gives it the tools. */
  readonly install: string;
}

/** The response of `GET /api/agents`. */
export interface ApiAgents {
  readonly runnable: readonly ApiRunnableAgent[];
  readonly configured: readonly ApiConfiguredAgent[];
}

/** A rule of a settings file, with its place. */
export interface ApiRule extends LoggedRule {
  readonly from: "user" | "project";
  readonly file: string;
  /** Counted from 1, within its file. */
  readonly position: number;
  readonly line?: number;
}

/** The response of `GET /api/permissions`. */
export interface ApiPermissions {
  /** The mode in force, and where it comes from. */
  readonly mode: ApiMode;
  readonly modes: { readonly user: ApiMode; readonly project?: ApiMode };
  readonly rules: readonly ApiRule[];
  /** The settings of an untrusted project that are ignored. */
  readonly ignored: readonly string[];
  /** The command that trusts the project, if settings are ignored. */
  readonly trust?: string;
  /** The file to which "always" adds rules. */
  readonly settingsFile: string;
}

/** The answer of a person to the question whether a call is allowed, from the log of its session. */
export interface ApiGivenAnswer {
  readonly questionID: string;
  readonly sessionID: string;
  /** The title of the session. */
  readonly title?: string;
  readonly callID: string;
  readonly tool: string;
  readonly agent: string;
  /** What the call would touch. At most 20 targets, each with at most 500 characters. */
  readonly access: readonly Access[];
  /** What the tool itself asked for while it ran. At most 20 patterns, each with at most 500 characters. */
  readonly request?: { readonly permission: string; readonly patterns: readonly string[] };
  /** Why the question was asked. */
  readonly question: string;
  /** When it was answered, in milliseconds since the epoch. */
  readonly at: number;
  readonly allowed: boolean;
  /** For how long; only once if absent. */
  readonly remember?: "session" | "always";
  /** What the person wrote. */
  readonly reason?: string;
  /** The rules of this answer that still apply to the session: see `POST /api/sessions/:id/grants/remove`. */
  readonly grants?: readonly LoggedRule[];
  /** The rules of this answer that are still in the user's settings: see `POST /api/permissions/remove`. */
  readonly rules?: readonly ApiRule[];
}

/** The response of `GET /api/permissions/answers`: the latest first. */
export interface ApiGivenAnswers {
  readonly answers: readonly ApiGivenAnswer[];
}

/** The request body of `POST /api/permissions/explain`. */
export interface ApiExplainRequest {
  readonly tool: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly agent?: string;
}

/** One decision of the rules. */
export interface ApiDecision {
  readonly action: "allow" | "implicit-ask" | "ask" | "deny";
  readonly reason: string;
  readonly rule?: ApiRule;
}

/** The response of `POST /api/permissions/explain`: the same JSON as `toolwright permissions explain --json`. */
export interface ApiExplanation {
  readonly tool: string;
  readonly agents: readonly string[];
  readonly mode: ApiMode;
  readonly decision: ApiDecision;
  /** One for each target of the call. */
  readonly decisions: readonly ApiDecision[];
  readonly outcomes: Readonly<Record<"run" | "attended" | "unattended", "runs" | "asks" | "refused">>;
  /** The rules that allow it always, and the file that they belong into; null if it cannot be allowed always. */
  readonly always: { readonly rules: readonly LoggedRule[]; readonly file: string } | null;
}

/** The request body of `POST /api/permissions/remove`: a rule of the user's settings, as it was listed. */
export type ApiRemoveRule = LoggedRule & { readonly position: number };

/** The request body of `POST /api/tools/:name/render`: see `RenderView`. */
export type ApiRenderRequest = {
  readonly width: number;
  readonly expanded?: boolean;
  readonly callID: string;
  readonly input: unknown;
  /** Absent for the call itself. */
  readonly result?: { readonly content: readonly unknown[]; readonly data?: unknown; readonly isError: boolean };
};

/** The response of `POST /api/tools/:name/render`: lines with ANSI colors; null if the author draws none. */
export interface ApiRendering {
  readonly lines: readonly string[] | null;
}

/** The data of the events of `GET /api/events`, by event name. None is stored: after a reconnect, a page reads all again. */
export interface ApiPageEvents {
  /** The first event of every stream. `server` changes when the server is restarted. */
  readonly hello: { readonly server: string; readonly version: string };
  /** Tools or problems have changed: read the catalog again. */
  readonly tools: Readonly<Record<string, never>>;
  /** Sessions were created, changed or removed, by any process: read the list again. Sent at most twice a second. */
  readonly sessions: Readonly<Record<string, never>>;
  /** A call has started in this process. */
  readonly call_started: ApiCallStart;
  /** Without its input, if that is large: `GET /api/calls` has it. */
  readonly call_ended: ApiCall;
  /** More calls have started or ended than are sent one by one: read the list again. */
  readonly calls: Readonly<Record<string, never>>;
  /** A question about a call that runs in this process. */
  readonly question: QuestionAskedEvent;
  readonly answer: QuestionAnswered;
  /** Rules, modes or other settings may have changed. */
  readonly permissions: Readonly<Record<string, never>>;
  /** A sentence for the person who uses the page. */
  readonly notice: { readonly sessionID?: string; readonly message: string };
}

/** An event of `GET /api/events`. */
export type ApiPageEvent = {
  [E in keyof ApiPageEvents]: { readonly event: E; readonly data: ApiPageEvents[E] };
}[keyof ApiPageEvents];
