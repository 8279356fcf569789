import { ACCESS, CONTENT, PROBLEM_LISTS } from "./api.ts";
import type { ApiSchemas, FromSchema, Typed } from "./api-schema.ts";
import { RULE } from "./api-sessions.ts";
import { CALLERS } from "./caller.ts";
import type { ToolErrorCode } from "./error.ts";
import { MODE_NAMES, type RuleAction } from "./permission-mode.ts";
import type { LoggedRule, QuestionAnswered, QuestionAskedEvent } from "./question.ts";
import type { Format, Hints, PlaceKind } from "./tool.ts";

const CATALOG_TOOL = {
  properties: {
    name: { type: "string" },
    description: { type: "string" },
    source: { enum: ["builtin", "custom", "plugin", "mcp"] },
    place: { type: "string" } as Typed<PlaceKind>,
    format: { type: "string" } as Typed<Format>,
    file: { type: "string" },
    line: { type: "integer", description: "The line of its definition, if known.", optional: true },
    pluginName: { type: "string", optional: true },
    pluginVersion: { type: "string", optional: true },
    enabled: { type: "boolean" },
    overridesBuiltin: { const: true, optional: true },
    hints: { type: "object" } as Typed<Hints>,
    inputSchema: { type: "object" },
    outputSchema: { type: "object", optional: true },
  },
} as const;

/** A tool with all that the page shows of it. */
export type ApiCatalogTool = FromSchema<typeof CATALOG_TOOL>;

const { problems, shadowed, blocked, warnings } = PROBLEM_LISTS.properties;

const CATALOG = {
  properties: {
    version: { type: "string" },
    project: { properties: { directory: { type: "string" }, root: { type: "string" }, trusted: { type: "boolean" } } },
    tools: { items: CATALOG_TOOL as typeof CATALOG_TOOL },
    problems: problems as typeof PROBLEM_LISTS.properties.problems,
    shadowed: shadowed as typeof PROBLEM_LISTS.properties.shadowed,
    blocked: blocked as typeof PROBLEM_LISTS.properties.blocked,
    warnings: warnings as typeof PROBLEM_LISTS.properties.warnings,
    loading: { items: { type: "string" }, description: "Files and MCP servers that are still being read." },
    /** For commands to copy, such as `toolwright`. */
    command: { type: "string", description: "The command line that starts this program." },
    /** Quoted for a shell, such as `--cwd /home/me/project`. */
    commandOptions: { type: "string", description: "The options with which other commands find the same tools." },
  },
} as const;

/** The response of `GET /api/catalog`: all tools, also disabled ones, and what keeps others from being served. */
export type ApiCatalog = FromSchema<typeof CATALOG>;

const CALL = {
  properties: {
    callID: { type: "string" },
    tool: { type: "string" },
    sessionID: { type: "string" },
    agent: { type: "string", description: "The agent or MCP client that made it, or empty." },
    caller: {
      enum: CALLERS as typeof CALLERS,
      description: "How it was made. Absent for calls that an earlier version recorded.",
      optional: true,
    },
    parentID: { type: "string", description: "The call that made this call.", optional: true },
    at: { type: "integer", description: "When it ended, in milliseconds since the epoch." },
    durationMs: { type: "number" },
    ok: { type: "boolean" },
    error: {
      properties: { code: { type: "string" } as Typed<ToolErrorCode>, message: { type: "string" } },
      optional: true,
    },
    input: { description: "The arguments, with secrets masked." },
  },
} as const;

/** A finished call, from the audit log of this user. */
export type ApiCall = FromSchema<typeof CALL>;

/** A call that runs. */
export type ApiCallStart = Pick<ApiCall, "callID" | "tool" | "sessionID" | "agent" | "caller" | "parentID" | "at">;

const CALL_FILTERS = {
  properties: {
    tool: { type: "string", format: "filter", optional: true },
    outcome: { enum: ["ok", "failed"], optional: true },
    sessionID: { type: "string", format: "filter", optional: true },
    agent: { type: "string", format: "filter", optional: true },
    caller: { enum: CALLERS as typeof CALLERS, summary: "How the call was made.", optional: true },
    since: {
      type: "integer",
      description: "Milliseconds since the epoch.",
      summary: "Only calls that ended at or after this time.",
      format: "time",
      optional: true,
    },
  },
} as const;

const CALL_QUERY = {
  extends: CALL_FILTERS as typeof CALL_FILTERS,
  properties: {
    cursor: { type: "string", summary: "The next of the page before.", format: "filter", optional: true },
    limit: { type: "integer", minimum: 1, maximum: 200, default: 50, optional: true },
  },
} as const;

/** The query of `GET /api/calls` and, without `cursor` and `limit`, `GET /api/calls/summary`. */
export type ApiCallQuery = FromSchema<typeof CALL_QUERY>;

const CALLS = {
  properties: {
    calls: { items: CALL as typeof CALL },
    next: { type: "string", description: "Absent for the last page.", optional: true },
  },
} as const;

/** The response of `GET /api/calls`: the latest first. */
export type ApiCalls = FromSchema<typeof CALLS>;

const CALL_SUMMARY = {
  properties: {
    since: { type: "integer", description: "Milliseconds since the epoch." },
    until: { type: "integer", description: "Milliseconds since the epoch." },
    total: { type: "integer", minimum: 0 },
    failed: { type: "integer", minimum: 0 },
    buckets: {
      items: {
        properties: {
          at: { type: "integer", description: "Milliseconds since the epoch." },
          ok: { type: "integer", minimum: 0 },
          failed: { type: "integer", minimum: 0 },
        },
      },
      description: "Equal spans of time from since to until, oldest first.",
    },
    tools: {
      items: {
        properties: {
          tool: { type: "string" },
          calls: { type: "integer", minimum: 0 },
          failed: { type: "integer", minimum: 0 },
          p50: { type: "number" },
          p95: { type: "number" },
        },
      },
      description: "Those with the most calls first. Durations in milliseconds.",
    },
  },
} as const;

/** The response of `GET /api/calls/summary`. */
export type ApiCallSummary = FromSchema<typeof CALL_SUMMARY>;

const RUNNABLE_AGENT = {
  properties: {
    name: { type: "string" },
    status: { enum: ["ready", "not_installed", "broken"] },
    version: { type: "string", optional: true },
    /** What is wrong. */
    problem: { type: "string", optional: true },
    install: { type: "string", description: "The command that installs what is missing.", optional: true },
    isDefault: { type: "boolean" },
  },
} as const;

/** An agent that can run sessions here. */
export type ApiRunnableAgent = FromSchema<typeof RUNNABLE_AGENT>;

const CONFIGURED_AGENT = {
  properties: {
    id: { type: "string" },
    name: { type: "string" },
    present: { type: "boolean", description: "Whether it was found on this machine." },
    installations: {
      items: {
        properties: {
          level: { type: "string" },
          file: { type: "string" },
          name: { type: "string" },
          status: { enum: ["ok", "stale", "off", "foreign"] },
        },
      },
    },
    problems: { items: { type: "string" } },
    install: { type: "string", description: "The command that gives it the tools." },
  },
} as const;

/** An agent on this machine that takes tools from an MCP configuration file. */
export type ApiConfiguredAgent = FromSchema<typeof CONFIGURED_AGENT>;

const AGENTS = {
  properties: {
    runnable: { items: RUNNABLE_AGENT as typeof RUNNABLE_AGENT },
    configured: { items: CONFIGURED_AGENT as typeof CONFIGURED_AGENT },
  },
} as const;

/** The response of `GET /api/agents`. */
export type ApiAgents = FromSchema<typeof AGENTS>;

/** The document names the rules of sessions only. */
const UNNAMED_RULE: Typed<LoggedRule> = { ...RULE };

const PLACED_RULE = {
  extends: RULE as typeof RULE,
  properties: {
    from: { enum: ["user", "project"] },
    file: { type: "string" },
    /** Counted from 1. */
    position: { type: "integer", minimum: 1, description: "Within its file." },
    line: { type: "integer", optional: true },
  },
} as const;

/** A rule of a settings file, with its place. */
export type ApiRule = FromSchema<typeof PLACED_RULE>;

const PERMISSIONS = {
  properties: {
    /** The mode in force, and where it comes from. */
    mode: { enum: MODE_NAMES as typeof MODE_NAMES },
    modes: {
      properties: {
        user: { enum: MODE_NAMES as typeof MODE_NAMES },
        project: { enum: MODE_NAMES as typeof MODE_NAMES, optional: true },
      },
    },
    rules: { items: PLACED_RULE as typeof PLACED_RULE },
    ignored: { items: { type: "string" }, description: "Settings of an untrusted project that are ignored." },
    trust: {
      type: "string",
      description: "The command that trusts the project, if settings are ignored.",
      optional: true,
    },
    settingsFile: { type: "string", description: "The file to which always adds rules." },
  },
} as const;

/** The response of `GET /api/permissions`. */
export type ApiPermissions = FromSchema<typeof PERMISSIONS>;

const GIVEN_ANSWER = {
  properties: {
    questionID: { type: "string" },
    sessionID: { type: "string" },
    title: { type: "string", description: "The title of the session.", optional: true },
    callID: { type: "string" },
    tool: { type: "string" },
    agent: { type: "string" },
    /** Each target has at most 500 characters. */
    access: {
      items: ACCESS as typeof ACCESS,
      description: "What the call would touch. At most 20 targets; long ones are cut.",
    },
    /** At most 20 patterns, each with at most 500 characters. */
    request: {
      properties: { permission: { type: "string" }, patterns: { items: { type: "string" } } },
      description: "Only if the tool itself asked while it ran.",
      optional: true,
    },
    question: { type: "string", description: "Why the question was asked." },
    /** When it was answered. */
    at: { type: "integer", description: "Milliseconds since the epoch." },
    allowed: { type: "boolean" },
    remember: { enum: ["session", "always"], description: "For how long; only once if absent.", optional: true },
    reason: { type: "string", description: "What the person wrote.", optional: true },
    /** See `POST /api/sessions/:id/grants/remove`. */
    grants: {
      items: UNNAMED_RULE as typeof UNNAMED_RULE,
      description: "The rules of this answer that still apply to the session.",
      optional: true,
    },
    /** See `POST /api/permissions/remove`. */
    rules: {
      items: PLACED_RULE as typeof PLACED_RULE,
      description: "The rules of this answer that the settings still have.",
      optional: true,
    },
  },
} as const;

/** The answer of a person to the question whether a call is allowed, from the log of its session. */
export type ApiGivenAnswer = FromSchema<typeof GIVEN_ANSWER>;

const GIVEN_ANSWERS = { properties: { answers: { items: GIVEN_ANSWER as typeof GIVEN_ANSWER } } } as const;

/** The response of `GET /api/permissions/answers`: the latest first. */
export type ApiGivenAnswers = FromSchema<typeof GIVEN_ANSWERS>;

const EXPLAIN = {
  properties: {
    tool: { type: "string", format: "name" },
    input: { type: "object", format: "arguments", optional: true },
    agent: { type: "string", format: "name", optional: true },
  },
} as const;

/** The request body of `POST /api/permissions/explain`. */
export type ApiExplainRequest = FromSchema<typeof EXPLAIN>;

const DECISION = {
  properties: {
    action: { enum: ["allow", "implicit-ask", "ask", "deny"] },
    reason: { type: "string" },
    ground: { type: "string", description: "What decided: a rule, the mode, or the tool itself.", optional: true },
    access: { ref: ACCESS as Typed<unknown>, optional: true },
    rule: { ref: PLACED_RULE as typeof PLACED_RULE, optional: true },
  },
} as const;

/** One decision of the rules. */
export type ApiDecision = FromSchema<typeof DECISION>;

const EXPLANATION = {
  properties: {
    tool: { type: "string" },
    agents: { items: { type: "string" } },
    mode: { enum: MODE_NAMES as typeof MODE_NAMES },
    decision: DECISION as typeof DECISION,
    decisions: { items: DECISION as typeof DECISION, description: "One for each target of the call." },
    outcomes: {
      properties: {
        run: { enum: ["runs", "asks", "refused"] },
        attended: { enum: ["runs", "asks", "refused"] },
        unattended: { enum: ["runs", "asks", "refused"] },
      },
    },
    /** The rules that allow it always, and the file that they belong into; null if it cannot be allowed always. */
    always: {
      anyOf: [
        { properties: { rules: { items: UNNAMED_RULE as typeof UNNAMED_RULE }, file: { type: "string" } } },
        { type: "null" },
      ],
    },
  },
} as const;

/** The response of `POST /api/permissions/explain`: the same JSON as `toolwright permissions explain --json`. */
export type ApiExplanation = FromSchema<typeof EXPLANATION>;

const REMOVE_RULE = {
  extends: RULE as typeof RULE,
  properties: {
    action: { type: "string", format: "action" } as Typed<RuleAction>,
    position: { type: "integer", minimum: 0, format: "rule position" },
  },
} as const;

/** The request body of `POST /api/permissions/remove`: a rule of the user's settings, as it was listed. */
export type ApiRemoveRule = FromSchema<typeof REMOVE_RULE>;

const RENDER = {
  properties: {
    width: { type: "integer", minimum: 10, maximum: 500 },
    expanded: { type: "boolean", optional: true },
    callID: { type: "string", format: "name" },
    input: {},
    /** Absent for the call itself. */
    result: {
      properties: {
        content: { items: CONTENT as Typed<unknown> },
        data: { optional: true },
        isError: { type: "boolean" },
      },
      format: "rendered result",
      optional: true,
    },
  },
} as const;

/** The request body of `POST /api/tools/:name/render`: see `RenderView`. */
export type ApiRenderRequest = FromSchema<typeof RENDER>;

const RENDERING = { properties: { lines: { anyOf: [{ items: { type: "string" } }, { type: "null" }] } } } as const;

/** The response of `POST /api/tools/:name/render`: lines with ANSI colors; null if the author draws none. */
export type ApiRendering = FromSchema<typeof RENDERING>;

const EVENTS = `Server-sent events for a page that shows the state of the server; none is stored. hello is the first one; its server changes when the server is restarted. tools, sessions, permissions and calls have no data: read the resource again. call_started and call_ended (schema Call) are about calls of this server, with secrets masked; if there are too many, calls is sent instead. question (schema Question), answer, and notice, a sentence for a person.`;

export const PAGE_ROUTES = {
  "POST /api/login": {
    summary: "Exchange the token for a cookie",
    description:
      "For the page. The cookie is HttpOnly and SameSite=Strict, and counts only in requests of the page itself. After 10 wrong tokens in a minute, wrong ones get 429.",
    open: true,
    body: { properties: { token: { type: "string" } } },
    returns: "The browser has the cookie.",
    answer: { properties: { loggedIn: { const: true } } },
    refusals: { 401: "It is not the token.", 429: "Too many wrong tokens." },
  },
  "POST /api/logout": {
    summary: "Remove the cookie",
    returns: "The browser removes it.",
    answer: { properties: { loggedIn: { const: false } } },
  },
  "GET /api/catalog": {
    summary: "Everything about the tools",
    description: "All tools, also disabled ones, with their places, and what keeps others from being served.",
    returns: "The catalog.",
    answer: CATALOG as typeof CATALOG,
  },
  "GET /api/calls": {
    summary: "List finished calls",
    description: "From the audit log of the user, also calls of other projects and processes. The latest first.",
    query: CALL_QUERY as typeof CALL_QUERY,
    returns: "A page of calls. Large inputs make it shorter than the limit.",
    answer: CALLS as typeof CALLS,
  },
  "GET /api/calls/summary": {
    summary: "Count finished calls, with their durations",
    description: "By default those of the last 24 hours.",
    query: CALL_FILTERS as typeof CALL_FILTERS,
    returns: "The summary.",
    answer: CALL_SUMMARY as typeof CALL_SUMMARY,
  },
  "GET /api/agents": {
    summary: "List agents",
    description: "Which agents can run sessions here, and which on this machine have the tools. Starts none of them.",
    returns: "The agents.",
    answer: AGENTS as typeof AGENTS,
  },
  "GET /api/permissions": {
    summary: "List the permission rules",
    returns: "The mode and the rules.",
    answer: PERMISSIONS as typeof PERMISSIONS,
  },
  "GET /api/permissions/answers": {
    summary: "List the answers that people have given",
    description:
      "Answers to permission questions, from the logs of the 50 sessions of the project that changed last. The latest first, at most 200.",
    returns: "The answers.",
    answer: GIVEN_ANSWERS as typeof GIVEN_ANSWERS,
  },
  "POST /api/permissions/explain": {
    summary: "Explain the decision of the rules on a call",
    description: "The tool validates the input and declares what it would touch. It does not run.",
    body: EXPLAIN as typeof EXPLAIN,
    example: '{ "tool": "NAME", "input": { … } }',
    hint: 'Arguments go into "input".',
    returns: "The decision.",
    answer: EXPLANATION as typeof EXPLANATION,
    refusals: { 400: "The input is not valid.", 404: "There is no such tool." },
  },
  "POST /api/permissions/remove": {
    summary: "Remove a rule from the settings of the user",
    description: "The fields are those of the listed rule.",
    body: REMOVE_RULE as typeof REMOVE_RULE,
    example: '{ "tool": "NAME", "action": "allow", "position": 1 }',
    returns: "The rule no longer applies.",
    answer: { properties: { removed: { const: true } } },
    refusals: { 409: "The settings have another rule there." },
  },
  "POST /api/tools/{name}/render": {
    summary: "Draw a call or its result as the author of the tool does in a terminal",
    body: RENDER as typeof RENDER,
    example: '{ "width": 80, "callID": "ID", "input": { … } }',
    returns: "Lines with ANSI colors, or null if the author draws none.",
    answer: RENDERING as typeof RENDERING,
  },
  "GET /api/outputs": {
    summary: "Get the full output of a truncated call",
    query: { properties: { file: { type: "string", summary: "notes.truncated.fullOutput of the result." } } },
    returns: "The output, as a download.",
    content: ["text/plain"],
    refusals: { 404: "There is no such output, or it has been deleted." },
  },
  "GET /api/events": {
    summary: "Follow the state of the server",
    description: EVENTS as string,
    returns: "Events.",
    content: ["text/event-stream"],
  },
} as const;

export const PAGE_SCHEMAS: ApiSchemas = {
  CatalogTool: CATALOG_TOOL,
  Catalog: CATALOG,
  Call: CALL,
  Calls: CALLS,
  CallSummary: CALL_SUMMARY,
  Agents: AGENTS,
  PlacedRule: PLACED_RULE,
  Permissions: PERMISSIONS,
  GivenAnswer: GIVEN_ANSWER,
  Decision: DECISION,
  Explanation: EXPLANATION,
  Render: RENDER,
};

/** The data of the events of `GET /api/events`, by event name. None is stored: after a reconnect, a page reads all again. */
export interface ApiPageEvents {
  /**
   * The first event of every stream. `server` changes when the server is restarted. `renewal` logs the browser in again, as the
   * token does: a server on another port may replace the cookie.
   */
  readonly hello: { readonly server: string; readonly version: string; readonly renewal?: string };
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
