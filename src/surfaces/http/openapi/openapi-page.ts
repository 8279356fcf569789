import { CALLERS } from "../../../core/caller.ts";
import { MODE_NAMES } from "../../../core/permission-mode.ts";
import {
  type ApiPart,
  answers,
  type Json,
  many,
  object,
  pathParameter,
  queryParameter,
  ref,
  refused,
  requestBody,
  rule,
  text,
  time,
} from "./openapi-parts.ts";
import { ACCESS } from "./openapi-questions.ts";
import { PROBLEM_LISTS } from "./openapi-tools.ts";

const flag: Json = { type: "boolean" };
const count: Json = { type: "integer", minimum: 0 };
const number: Json = { type: "number" };
const MODE: Json = { enum: MODE_NAMES };

const FILTERS: readonly Json[] = [
  queryParameter("tool", text),
  queryParameter("outcome", { enum: ["ok", "failed"] }),
  queryParameter("sessionID", text),
  queryParameter("agent", text),
  queryParameter("caller", { enum: CALLERS }, "How the call was made."),
  queryParameter("since", time, "Only calls that ended at or after this time."),
];

const EVENTS = `Server-sent events for a page that shows the state of the server; none is stored. hello is the first one; its server changes when the server is restarted. tools, sessions, permissions and calls have no data: read the resource again. call_started and call_ended (schema Call) are about calls of this server, with secrets masked; if there are too many, calls is sent instead. question (schema Question), answer, and notice, a sentence for a person.`;

const PATHS: Json = {
  "/api/login": {
    post: {
      summary: "Exchange the token for a cookie",
      description:
        "For the page. The cookie is HttpOnly and SameSite=Strict, and counts only in requests of the page itself. After 10 wrong tokens in a minute, wrong ones get 429.",
      security: [],
      requestBody: requestBody(object({ token: text })),
      ...answers("The browser has the cookie.", object({ loggedIn: { const: true } }), {
        401: refused("It is not the token."),
        429: refused("Too many wrong tokens."),
      }),
    },
  },
  "/api/logout": {
    post: {
      summary: "Remove the cookie",
      ...answers("The browser removes it.", object({ loggedIn: { const: false } })),
    },
  },
  "/api/catalog": {
    get: {
      summary: "Everything about the tools",
      description: "All tools, also disabled ones, with their places, and what keeps others from being served.",
      ...answers("The catalog.", ref("Catalog")),
    },
  },
  "/api/calls": {
    get: {
      summary: "List finished calls",
      description: "From the audit log of the user, also calls of other projects and processes. The latest first.",
      parameters: [
        queryParameter("cursor", text, "The next of the page before."),
        queryParameter("limit", { type: "integer", minimum: 1, maximum: 200, default: 50 }),
        ...FILTERS,
      ],
      ...answers("A page of calls. Large inputs make it shorter than the limit.", ref("Calls")),
    },
  },
  "/api/calls/summary": {
    get: {
      summary: "Count finished calls, with their durations",
      description: "By default those of the last 24 hours.",
      parameters: FILTERS,
      ...answers("The summary.", ref("CallSummary")),
    },
  },
  "/api/agents": {
    get: {
      summary: "List agents",
      description: "Which agents can run sessions here, and which on this machine have the tools. Starts none of them.",
      ...answers("The agents.", ref("Agents")),
    },
  },
  "/api/permissions": {
    get: { summary: "List the permission rules", ...answers("The mode and the rules.", ref("Permissions")) },
  },
  "/api/permissions/answers": {
    get: {
      summary: "List the answers that people have given",
      description:
        "Answers to permission questions, from the logs of the 50 sessions of the project that changed last. The latest first, at most 200.",
      ...answers("The answers.", object({ answers: many(ref("GivenAnswer")) })),
    },
  },
  "/api/permissions/explain": {
    post: {
      summary: "Explain the decision of the rules on a call",
      description: "The tool validates the input and declares what it would touch. It does not run.",
      requestBody: requestBody(object({ tool: text, input: { type: "object" }, agent: text }, ["tool"])),
      ...answers("The decision.", ref("Explanation"), {
        400: refused("The input is not valid."),
        404: refused("There is no such tool."),
      }),
    },
  },
  "/api/permissions/remove": {
    post: {
      summary: "Remove a rule from the settings of the user",
      description: "The fields are those of the listed rule.",
      requestBody: requestBody(
        object({ tool: text, match: text, agent: text, action: text, position: count }, ["tool", "action", "position"]),
      ),
      ...answers("The rule no longer applies.", object({ removed: { const: true } }), {
        409: refused("The settings have another rule there."),
      }),
    },
  },
  "/api/tools/{name}/render": {
    parameters: [pathParameter("name")],
    post: {
      summary: "Draw a call or its result as the author of the tool does in a terminal",
      requestBody: requestBody(ref("Render")),
      ...answers(
        "Lines with ANSI colors, or null if the author draws none.",
        object({ lines: { anyOf: [many(text), { type: "null" }] } }),
      ),
    },
  },
  "/api/outputs": {
    get: {
      summary: "Get the full output of a truncated call",
      parameters: [{ ...queryParameter("file", text, "notes.truncated.fullOutput of the result."), required: true }],
      responses: {
        200: { description: "The output, as a download.", content: { "text/plain": { schema: text } } },
        404: refused("There is no such output, or it has been deleted."),
        default: refused("The request was refused."),
      },
    },
  },
  "/api/events": {
    get: {
      summary: "Follow the state of the server",
      description: EVENTS,
      responses: {
        200: { description: "Events.", content: { "text/event-stream": { schema: text } } },
        default: refused("The request was refused."),
      },
    },
  },
};

const SCHEMAS: Json = {
  CatalogTool: object(
    {
      name: text,
      description: text,
      source: { enum: ["builtin", "custom", "plugin", "mcp"] },
      place: text,
      format: text,
      file: text,
      line: { type: "integer", description: "The line of its definition, if known." },
      pluginName: text,
      pluginVersion: text,
      enabled: flag,
      overridesBuiltin: { const: true },
      hints: { type: "object" },
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
    },
    ["name", "description", "source", "place", "format", "file", "enabled", "hints", "inputSchema"],
  ),
  Catalog: object({
    version: text,
    project: object({ directory: text, root: text, trusted: flag }),
    tools: many(ref("CatalogTool")),
    ...PROBLEM_LISTS,
    loading: { ...many(text), description: "Files and MCP servers that are still being read." },
    command: { type: "string", description: "The command line that starts this program." },
    commandOptions: { type: "string", description: "The options with which other commands find the same tools." },
  }),
  Call: object(
    {
      callID: text,
      tool: text,
      sessionID: text,
      agent: { type: "string", description: "The agent or MCP client that made it, or empty." },
      caller: { enum: CALLERS, description: "How it was made. Absent for calls that an earlier version recorded." },
      parentID: { type: "string", description: "The call that made this call." },
      at: { ...time, description: "When it ended, in milliseconds since the epoch." },
      durationMs: number,
      ok: flag,
      error: object({ code: text, message: text }),
      input: { description: "The arguments, with secrets masked." },
    },
    ["callID", "tool", "sessionID", "agent", "at", "durationMs", "ok", "input"],
  ),
  Calls: object({ calls: many(ref("Call")), next: { type: "string", description: "Absent for the last page." } }, [
    "calls",
  ]),
  CallSummary: object({
    since: time,
    until: time,
    total: count,
    failed: count,
    buckets: {
      ...many(object({ at: time, ok: count, failed: count })),
      description: "Equal spans of time from since to until, oldest first.",
    },
    tools: {
      ...many(object({ tool: text, calls: count, failed: count, p50: number, p95: number })),
      description: "Those with the most calls first. Durations in milliseconds.",
    },
  }),
  Agents: object({
    runnable: many(
      object(
        {
          name: text,
          status: { enum: ["ready", "not_installed", "broken"] },
          version: text,
          problem: text,
          install: { type: "string", description: "The command that installs what is missing." },
          isDefault: flag,
        },
        ["name", "status", "isDefault"],
      ),
    ),
    configured: many(
      object({
        id: text,
        name: text,
        present: { type: "boolean", description: "Whether it was found on this machine." },
        installations: many(
          object({ level: text, file: text, name: text, status: { enum: ["ok", "stale", "off", "foreign"] } }),
        ),
        problems: many(text),
        install: { type: "string", description: "The command that gives it the tools." },
      }),
    ),
  }),
  PlacedRule: {
    ...rule,
    properties: {
      ...(rule.properties as Json),
      from: { enum: ["user", "project"] },
      file: text,
      position: { type: "integer", minimum: 1, description: "Within its file." },
      line: { type: "integer" },
    },
    required: ["tool", "action", "from", "file", "position"],
  },
  Permissions: object(
    {
      mode: MODE,
      modes: object({ user: MODE, project: MODE }, ["user"]),
      rules: many(ref("PlacedRule")),
      ignored: { ...many(text), description: "Settings of an untrusted project that are ignored." },
      trust: { type: "string", description: "The command that trusts the project, if settings are ignored." },
      settingsFile: { type: "string", description: "The file to which always adds rules." },
    },
    ["mode", "modes", "rules", "ignored", "settingsFile"],
  ),
  GivenAnswer: object(
    {
      questionID: text,
      sessionID: text,
      title: { type: "string", description: "The title of the session." },
      callID: text,
      tool: text,
      agent: text,
      access: { ...many(ACCESS), description: "What the call would touch. At most 20 targets; long ones are cut." },
      request: {
        ...object({ permission: text, patterns: many(text) }),
        description: "Only if the tool itself asked while it ran.",
      },
      question: { type: "string", description: "Why the question was asked." },
      at: time,
      allowed: flag,
      remember: { enum: ["session", "always"], description: "For how long; only once if absent." },
      reason: { type: "string", description: "What the person wrote." },
      grants: { ...many(rule), description: "The rules of this answer that still apply to the session." },
      rules: { ...many(ref("PlacedRule")), description: "The rules of this answer that the settings still have." },
    },
    ["questionID", "sessionID", "callID", "tool", "agent", "access", "question", "at", "allowed"],
  ),
  Decision: object(
    {
      action: { enum: ["allow", "implicit-ask", "ask", "deny"] },
      reason: text,
      ground: { type: "string", description: "What decided: a rule, the mode, or the tool itself." },
      access: ACCESS,
      rule: ref("PlacedRule"),
    },
    ["action", "reason"],
  ),
  Explanation: object({
    tool: text,
    agents: many(text),
    mode: MODE,
    decision: ref("Decision"),
    decisions: { ...many(ref("Decision")), description: "One for each target of the call." },
    outcomes: object(
      Object.fromEntries(["run", "attended", "unattended"].map((key) => [key, { enum: ["runs", "asks", "refused"] }])),
    ),
    always: { anyOf: [object({ rules: many(rule), file: text }), { type: "null" }] },
  }),
  Render: object(
    {
      width: { type: "integer", minimum: 10, maximum: 500 },
      expanded: flag,
      callID: text,
      input: {},
      result: object({ content: many(ref("Content")), data: {}, isError: flag }, ["content", "isError"]),
    },
    ["width", "callID", "input"],
  ),
};

/** What the page needs besides tools and sessions. */
export const PAGE_API: ApiPart = { paths: PATHS, schemas: SCHEMAS };
