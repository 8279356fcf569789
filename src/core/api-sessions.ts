import { ANSWER } from "./api.ts";
import type { ApiSchemas, FromSchema, Typed } from "./api-schema.ts";
import type { Card } from "./card.ts";
import type { NamedCall } from "./events.ts";
import { ACCEPTED_MODE_NAMES, MODE_NAMES, type Mode, type ModeName, RULE_ACTIONS } from "./permission-mode.ts";
import type { LoggedQuestion, LoggedRule, QuestionAnswered } from "./question.ts";
import type { Content } from "./result.ts";
import { type LiveEvent, type LoggedResult, type PartialEvent, SESSION_STATUSES, type Usage } from "./session-log.ts";

/** What happens to calls that no rule covers. */
export type ApiMode = Mode;

const NEW_SESSION = {
  properties: {
    prompt: { type: "string", minLength: 1, format: "prompt" },
    agent: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: "By default that of the setting agents.default.",
      format: "name",
      optional: true,
    },
    /** By default the agent's own choice. */
    model: {
      type: "string",
      minLength: 1,
      maxLength: 200,
      description: "As the agent names it.",
      format: "name",
      optional: true,
    },
    cwd: {
      type: "string",
      description: "An absolute path inside the served project; by default the served directory.",
      format: "directory",
      optional: true,
    },
    /** By default that of the settings. A project's mode can be stricter. */
    permissionMode: {
      enum: ACCEPTED_MODE_NAMES as readonly ModeName[],
      description: "`bypassPermissions` is Claude's name of `bypass`.",
      optional: true,
    },
    /** Sub-agents of the user's settings have the tools that the settings name. */
    tools: {
      items: { type: "string", minLength: 1, maxLength: 200 },
      maxItems: 1_000,
      description: "The only tools that the model is shown, beside the agent's own. Names may have wildcards.",
      format: "tool names",
      optional: true,
    },
    /** By default the first line of the prompt. */
    title: { type: "string", minLength: 1, maxLength: 200, format: "name", optional: true },
  },
} as const;

/** The request body of `POST /api/sessions`. */
export type ApiNewSession = FromSchema<typeof NEW_SESSION>;

const SESSION_CREATED = {
  properties: {
    id: { type: "string" },
    /** The place in the queue, counted from 1. Only if the turn waits because too many run. */
    queuePosition: { type: "integer", minimum: 1, optional: true },
  },
} as const;

/** The response of `POST /api/sessions` and `POST /api/sessions/:id/branch`: the session and its events are durable. */
export type ApiSessionCreated = FromSchema<typeof SESSION_CREATED>;

const MESSAGE = { properties: { prompt: { type: "string", minLength: 1, format: "prompt" } } } as const;

const MESSAGE_ACCEPTED = {
  properties: {
    /** The position of the message in the log. */
    position: { type: "integer", minimum: 1 },
    queuePosition: { type: "integer", minimum: 1, optional: true },
  },
} as const;

/** The response of `POST /api/sessions/:id/messages`, with status 202: the message is durable, and its turn runs. */
export type ApiMessageAccepted = FromSchema<typeof MESSAGE_ACCEPTED>;

const CANCEL = {
  properties: {
    /** The only call to stop; by default the turn and all calls. */
    callID: { type: "string", minLength: 1, maxLength: 200, format: "name", optional: true },
    /** Why, for the log. */
    reason: { type: "string", minLength: 1, maxLength: 200, format: "name", optional: true },
  },
} as const;

/** The request body of `POST /api/sessions/:id/cancel`, which may be left out. */
export type ApiCancel = FromSchema<typeof CANCEL>;

const CANCELLED = {
  properties: {
    /** Whether the process that runs the session was asked to stop it. False if nothing runs. */
    cancelled: { type: "boolean" },
  },
} as const;

/** The response of `POST /api/sessions/:id/cancel`. */
export type ApiCancelled = FromSchema<typeof CANCELLED>;

const BRANCH = {
  properties: {
    at: {
      type: "integer",
      minimum: 1,
      description: "The position of the last event; by default all.",
      format: "branch point",
      optional: true,
    },
  },
} as const;

/** The request body of `POST /api/sessions/:id/branch`. */
export type ApiBranch = FromSchema<typeof BRANCH>;

const SESSION = {
  properties: {
    id: { type: "string" },
    directory: { type: "string" },
    title: { type: "string", optional: true },
    agent: { type: "string", optional: true },
    model: { type: "string", optional: true },
    status: { enum: SESSION_STATUSES as typeof SESSION_STATUSES },
    createdAt: { type: "integer", description: "Milliseconds since the epoch." },
    updatedAt: { type: "integer", description: "Milliseconds since the epoch." },
    position: { type: "integer", minimum: 0, description: "The position of the last event." },
    openQuestions: { items: { type: "string" } },
    parent: {
      properties: { sessionID: { type: "string" }, callID: { type: "string" } },
      description: "Only for the session of a sub-agent.",
      optional: true,
    },
    branchOf: {
      properties: { sessionID: { type: "string" }, position: { type: "integer", minimum: 0 } },
      optional: true,
    },
    /** The place of its turn in the queue, counted from 1. */
    queuePosition: {
      type: "integer",
      minimum: 1,
      description: "Only if its turn waits because too many run.",
      optional: true,
    },
  },
} as const;

/** A session in the REST API. */
export type ApiSession = FromSchema<typeof SESSION>;

/** A permission rule. */
export const RULE: Typed<LoggedRule> = {
  properties: {
    tool: { type: "string" },
    match: { type: "string", optional: true },
    agent: { type: "string", optional: true },
    action: { enum: RULE_ACTIONS },
  },
};

const SESSION_DETAILS = {
  extends: SESSION as typeof SESSION,
  properties: {
    permissionMode: {
      enum: MODE_NAMES as typeof MODE_NAMES,
      description: "Only if it is not that of the settings.",
      optional: true,
    },
    tools: { items: { type: "string" }, optional: true },
    grants: { items: RULE as typeof RULE, description: "The rules that people have granted for this session." },
  },
} as const;

/** The response of `GET /api/sessions/:id`. */
export type ApiSessionDetails = FromSchema<typeof SESSION_DETAILS>;

const SESSION_QUERY = {
  properties: {
    cursor: { type: "string", summary: "The next of the page before.", format: "cursor", optional: true },
    limit: { type: "integer", minimum: 1, maximum: 200, default: 50, format: "page size", optional: true },
    status: { enum: SESSION_STATUSES as typeof SESSION_STATUSES, optional: true },
    /** In any case. */
    search: { type: "string", maxLength: 200, summary: "Part of the title or the id.", optional: true },
  },
} as const;

/** The query of `GET /api/sessions`. */
export type ApiSessionQuery = FromSchema<typeof SESSION_QUERY>;

const SESSIONS = {
  properties: {
    sessions: { items: SESSION as typeof SESSION },
    /** The cursor of the next page; absent for the last. */
    next: { type: "string", optional: true },
  },
} as const;

/** The response of `GET /api/sessions`: the most recently changed first. */
export type ApiSessions = FromSchema<typeof SESSIONS>;

const EVENTS = `Server-sent events. Stored events have an id, their position in the log: message (also of the user), tool_use, tool_result, permission (a question), answer, usage, error, completed (the turn is over), interrupted (the process that ran the turn ended; it is unknown whether the calls that it names had an effect). Others have none: message_delta, tool_update, partial (what has been streamed so far of unfinished messages and calls; it replaces earlier ones), queued (the place of the turn in the queue; 0 when it begins). The stream stays open for the next turn. Closing it does not stop the session. To resume without a gap, send the last id in the header Last-Event-ID, or in the query as after.`;

const NOT_FOUND = "There is no such session in this project.";
const RUNNING = "A turn of the session is running, here or in another process.";

export const SESSION_ROUTES = {
  "GET /api/sessions": {
    summary: "List the sessions of the project",
    description: "The most recently changed first.",
    query: SESSION_QUERY as typeof SESSION_QUERY,
    returns: "A page of sessions.",
    answer: SESSIONS as typeof SESSIONS,
  },
  "POST /api/sessions": {
    summary: "Create a session, and send its first prompt to an agent",
    description: "The response is sent when the session and the prompt are durable. The turn runs without the client.",
    body: NEW_SESSION as typeof NEW_SESSION,
    example: '{ "prompt": "…", "agent": "NAME" }',
    status: 201,
    returns: "The session.",
    answer: SESSION_CREATED as typeof SESSION_CREATED,
    refusals: {
      400: "A field is not valid, or the agent is unknown or not installed. The message says what to do.",
      413: "The prompt is too large.",
      503: "Too many turns wait, the sessions on disk cannot be used, or the server is stopping.",
    },
  },
  "GET /api/sessions/{id}": {
    summary: "Get a session",
    returns: "The session.",
    answer: SESSION_DETAILS as typeof SESSION_DETAILS,
    refusals: { 404: NOT_FOUND as string },
  },
  "DELETE /api/sessions/{id}": {
    summary: "Remove a session and its events",
    returns: "It is removed.",
    answer: { properties: { removed: { const: true } } },
    refusals: { 404: NOT_FOUND as string, 409: RUNNING as string },
  },
  "POST /api/sessions/{id}/messages": {
    summary: "Send the next message, which begins a turn",
    description:
      "The response is sent when the message is durable. If the session was interrupted, the agent resumes it.",
    body: MESSAGE as typeof MESSAGE,
    example: '{ "prompt": "…" }',
    status: 202,
    returns: "The message is durable, and its turn runs or waits.",
    answer: MESSAGE_ACCEPTED as typeof MESSAGE_ACCEPTED,
    refusals: {
      404: NOT_FOUND as string,
      409: "A turn of the session is running, or its directory is no longer in the project.",
    },
  },
  "POST /api/sessions/{id}/cancel": {
    summary: "Stop the turn and all calls, or one call",
    body: CANCEL as typeof CANCEL,
    example: "{}",
    returns: "Whether the turn, or the call, was running.",
    answer: CANCELLED as typeof CANCELLED,
    refusals: { 404: NOT_FOUND as string },
  },
  "POST /api/sessions/{id}/branch": {
    summary: "Create a session with the events of this one, up to a position",
    body: BRANCH as typeof BRANCH,
    example: '{ "at": 12 }',
    status: 201,
    returns: "The new session.",
    answer: SESSION_CREATED as typeof SESSION_CREATED,
    refusals: { 404: NOT_FOUND as string },
  },
  "POST /api/sessions/{id}/questions/{question}": {
    summary: "Answer a question of the session",
    description: "The first answer counts. A question is the event permission; it may be a dialog of a tool file.",
    body: ANSWER as typeof ANSWER,
    returns: "The question has this answer.",
    answer: { properties: { answered: { const: true } } },
    refusals: {
      400: "The answer does not fit the question.",
      404: "There is no such session, or it has no such question.",
      409: "The question has been answered, or its call has ended.",
    },
  },
  "POST /api/sessions/{id}/grants/remove": {
    summary: "Take back a rule that was granted for the session",
    body: RULE as typeof RULE,
    example: '{ "tool": "NAME", "action": "allow" }, one of the grants of the session',
    returns: "It is taken back.",
    answer: { properties: { removed: { const: true } } },
    refusals: { 404: "There is no such session, or it has no such rule." },
  },
  "GET /api/sessions/{id}/export": {
    summary: "The whole session as a file",
    query: { properties: { format: { enum: ["jsonl", "markdown"], default: "jsonl", optional: true } } },
    returns: "One stored event per line, or a document for people.",
    content: ["application/x-ndjson", "text/markdown"],
    refusals: { 404: NOT_FOUND as string },
  },
  "GET /api/sessions/{id}/events": {
    summary: "Follow a session",
    description: EVENTS as string,
    query: {
      properties: {
        after: {
          type: "integer",
          minimum: 0,
          summary: "The id of the last event that is known; 0 for all.",
          format: "position",
          optional: true,
        },
      },
    },
    headers: {
      "Last-Event-ID": {
        type: "integer",
        minimum: 0,
        summary: "Takes precedence over after.",
        format: "position",
        optional: true,
      },
    },
    returns: "The events.",
    content: ["text/event-stream"],
    refusals: {
      400: "The session has no such position.",
      404: NOT_FOUND as string,
      429: "The session has too many readers.",
    },
  },
} as const;

export const SESSION_SCHEMAS: ApiSchemas = {
  Session: SESSION,
  SessionDetails: SESSION_DETAILS,
  Sessions: SESSIONS,
  NewSession: NEW_SESSION,
  SessionCreated: SESSION_CREATED,
  Message: MESSAGE,
  MessageAccepted: MESSAGE_ACCEPTED,
  Cancel: CANCEL,
  Branch: BRANCH,
  GrantedRule: RULE,
};

/** When a durable event was stored, in milliseconds since the epoch. */
interface At {
  readonly at: number;
}

/** The data of the durable events of `GET /api/sessions/:id/events`, by event name. */
export interface ApiDurableEvents {
  readonly message: At & {
    readonly role: "user" | "assistant";
    readonly messageID: string;
    readonly content: readonly Content[];
    readonly thinking?: string;
  };
  readonly tool_use: At & NamedCall & { readonly input: unknown; readonly card?: Card };
  readonly tool_result: At & NamedCall & { readonly result: LoggedResult };
  readonly permission: At & LoggedQuestion;
  readonly answer: At & QuestionAnswered;
  readonly usage: At & Usage & { readonly messageID?: string };
  readonly error: At & { readonly message: string; readonly code?: string };
  /** The turn is over. The stream stays open for the next one. */
  readonly completed: At & { readonly text?: string; readonly aborted?: true };
  /** The turn ended without its end: the owner is gone, or stopped. It is unknown whether these calls had an effect. */
  readonly interrupted: At & {
    readonly reason: string;
    readonly calls: readonly string[];
    readonly questions: readonly string[];
  };
}

/** The data of the events that are not stored, by event name. They have no id. */
export interface ApiLiveEvents {
  /** More text of a message; `thinking` is what the model thinks before it answers. */
  readonly message_delta: { readonly messageID: string; readonly text?: string; readonly thinking?: string };
  readonly tool_update: Omit<LiveEvent & { readonly type: "tool.update" }, "type">;
  /** What has been streamed so far of unfinished messages and calls. It replaces all earlier deltas and updates. */
  readonly partial: Omit<PartialEvent, "type">;
  /** The turn waits because too many run. 0 when it begins. */
  readonly queued: { readonly position: number };
}

/** An event of `GET /api/sessions/:id/events`. `id` is the position in the log: send it as `Last-Event-ID` to resume. */
export type ApiSessionEvent =
  | {
      [E in keyof ApiDurableEvents]: { readonly event: E; readonly id: number; readonly data: ApiDurableEvents[E] };
    }[keyof ApiDurableEvents]
  | {
      [E in keyof ApiLiveEvents]: { readonly event: E; readonly id?: never; readonly data: ApiLiveEvents[E] };
    }[keyof ApiLiveEvents];
