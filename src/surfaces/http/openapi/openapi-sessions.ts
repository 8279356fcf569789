import { MODE_NAMES } from "../../../core/permission-mode.ts";
import { SESSION_STATUSES } from "../../../core/session-log.ts";
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

const ID = pathParameter("id");
const count: Json = { type: "integer", minimum: 1 };
const position: Json = { type: "integer", minimum: 0 };
const MODE: Json = { enum: MODE_NAMES };
const STATUS: Json = { enum: SESSION_STATUSES };

const NOT_FOUND = { 404: refused("There is no such session in this project.") };
const RUNNING = { 409: refused("A turn of the session is running, here or in another process.") };

/** A response with another status than 200. */
function answersWith(status: number, description: string, schema: Json, more: Json = {}): Json {
  const { responses } = answers(description, schema, more) as { responses: Json };
  const { 200: success, ...others } = responses as Record<string, unknown>;
  return { responses: { [status]: success, ...others } };
}

const optionalBody = (schema: Json): Json => ({ content: { "application/json": { schema } } });

const EVENTS = `Server-sent events. Stored events have an id, their position in the log: message (also of the user), tool_use, tool_result, permission (a question), answer, usage, error, completed (the turn is over), interrupted (the process that ran the turn ended; it is unknown whether the calls that it names had an effect). Others have none: message_delta, tool_update, partial (what has been streamed so far of unfinished messages and calls; it replaces earlier ones), queued (the place of the turn in the queue; 0 when it begins). The stream stays open for the next turn. Closing it does not stop the session. To resume without a gap, send the last id in the header Last-Event-ID, or in the query as after.`;

const PATHS: Json = {
  "/api/sessions": {
    get: {
      summary: "List the sessions of the project",
      description: "The most recently changed first.",
      parameters: [
        queryParameter("cursor", text, "The next of the page before."),
        queryParameter("limit", { type: "integer", minimum: 1, maximum: 200, default: 50 }),
        queryParameter("status", STATUS),
        queryParameter("search", { type: "string", maxLength: 200 }, "Part of the title or the id."),
      ],
      ...answers("A page of sessions.", ref("Sessions")),
    },
    post: {
      summary: "Create a session, and send its first prompt to an agent",
      description:
        "The response is sent when the session and the prompt are durable. The turn runs without the client.",
      requestBody: requestBody(ref("NewSession")),
      ...answersWith(201, "The session.", ref("SessionCreated"), {
        400: refused("A field is not valid, or the agent is unknown or not installed. The message says what to do."),
        413: refused("The prompt is too large."),
        503: refused("Too many turns wait, the sessions on disk cannot be used, or the server is stopping."),
      }),
    },
  },
  "/api/sessions/{id}": {
    parameters: [ID],
    get: { summary: "Get a session", ...answers("The session.", ref("SessionDetails"), NOT_FOUND) },
    delete: {
      summary: "Remove a session and its events",
      ...answers("It is removed.", object({ removed: { const: true } }), { ...NOT_FOUND, ...RUNNING }),
    },
  },
  "/api/sessions/{id}/messages": {
    parameters: [ID],
    post: {
      summary: "Send the next message, which begins a turn",
      description:
        "The response is sent when the message is durable. If the session was interrupted, the agent resumes it.",
      requestBody: requestBody(ref("Message")),
      ...answersWith(202, "The message is durable, and its turn runs or waits.", ref("MessageAccepted"), {
        ...NOT_FOUND,
        409: refused("A turn of the session is running, or its directory is no longer in the project."),
      }),
    },
  },
  "/api/sessions/{id}/cancel": {
    parameters: [ID],
    post: {
      summary: "Stop the turn and all calls, or one call",
      requestBody: optionalBody(ref("Cancel")),
      ...answers("Whether the turn, or the call, was running.", object({ cancelled: { type: "boolean" } }), NOT_FOUND),
    },
  },
  "/api/sessions/{id}/branch": {
    parameters: [ID],
    post: {
      summary: "Create a session with the events of this one, up to a position",
      requestBody: optionalBody(ref("Branch")),
      ...answersWith(201, "The new session.", ref("SessionCreated"), NOT_FOUND),
    },
  },
  "/api/sessions/{id}/questions/{question}": {
    parameters: [ID, pathParameter("question")],
    post: {
      summary: "Answer a question of the session",
      description: "The first answer counts. A question is the event permission; it may be a dialog of a tool file.",
      requestBody: requestBody(ref("Answer")),
      ...answers("The question has this answer.", object({ answered: { const: true } }), {
        400: refused("The answer does not fit the question."),
        404: refused("There is no such session, or it has no such question."),
        409: refused("The question has been answered, or its call has ended."),
      }),
    },
  },
  "/api/sessions/{id}/grants/remove": {
    parameters: [ID],
    post: {
      summary: "Take back a rule that was granted for the session",
      requestBody: requestBody(ref("GrantedRule")),
      ...answers("It is taken back.", object({ removed: { const: true } }), {
        404: refused("There is no such session, or it has no such rule."),
      }),
    },
  },
  "/api/sessions/{id}/export": {
    parameters: [ID],
    get: {
      summary: "The whole session as a file",
      parameters: [queryParameter("format", { enum: ["jsonl", "markdown"], default: "jsonl" })],
      responses: {
        200: {
          description: "One stored event per line, or a document for people.",
          content: { "application/x-ndjson": { schema: text }, "text/markdown": { schema: text } },
        },
        ...NOT_FOUND,
        default: refused("The request was refused."),
      },
    },
  },
  "/api/sessions/{id}/events": {
    parameters: [ID],
    get: {
      summary: "Follow a session",
      description: EVENTS,
      parameters: [
        queryParameter("after", position, "The id of the last event that is known; 0 for all."),
        { name: "Last-Event-ID", in: "header", schema: position, description: "Takes precedence over after." },
      ],
      responses: {
        200: { description: "The events.", content: { "text/event-stream": { schema: text } } },
        400: refused("The session has no such position."),
        ...NOT_FOUND,
        429: refused("The session has too many readers."),
        default: refused("The request was refused."),
      },
    },
  },
};

const SESSION = {
  id: text,
  directory: text,
  title: text,
  agent: text,
  model: text,
  status: STATUS,
  createdAt: time,
  updatedAt: time,
  position: { ...position, description: "The position of the last event." },
  openQuestions: many(text),
  parent: { ...object({ sessionID: text, callID: text }), description: "Only for the session of a sub-agent." },
  branchOf: object({ sessionID: text, position }),
  queuePosition: { ...count, description: "Only if its turn waits because too many run." },
};
const REQUIRED = ["id", "directory", "status", "createdAt", "updatedAt", "position", "openQuestions"];
const PROMPT: Json = { type: "string", minLength: 1 };
const NAME: Json = { type: "string", minLength: 1, maxLength: 200 };

const SCHEMAS: Json = {
  Session: object(SESSION, REQUIRED),
  SessionDetails: object(
    {
      ...SESSION,
      permissionMode: { ...MODE, description: "Only if it is not that of the settings." },
      tools: many(text),
      grants: { ...many(ref("GrantedRule")), description: "The rules that people have granted for this session." },
    },
    [...REQUIRED, "grants"],
  ),
  Sessions: object({ sessions: many(ref("Session")), next: text }, ["sessions"]),
  NewSession: object(
    {
      prompt: PROMPT,
      agent: { ...NAME, description: "By default that of the setting agents.default." },
      model: { ...NAME, description: "As the agent names it." },
      cwd: {
        type: "string",
        description: "An absolute path inside the served project; by default the served directory.",
      },
      permissionMode: MODE,
      tools: {
        type: "array",
        items: NAME,
        maxItems: 1_000,
        description: "The only tools that the model is shown, beside the agent's own. Names may have wildcards.",
      },
      title: NAME,
    },
    ["prompt"],
  ),
  SessionCreated: object({ id: text, queuePosition: count }, ["id"]),
  Message: object({ prompt: PROMPT }),
  MessageAccepted: object({ position: count, queuePosition: count }, ["position"]),
  Cancel: object({ callID: NAME, reason: NAME }, []),
  Branch: object({ at: { ...count, description: "The position of the last event; by default all." } }, []),
  GrantedRule: rule,
};

/** Sessions of agents. */
export const SESSIONS_API: ApiPart = { paths: PATHS, schemas: SCHEMAS };
