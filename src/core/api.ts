import type { ApiSchema, ApiSchemas, FromSchema, Typed } from "./api-schema.ts";
import type { ToolEvent } from "./events.ts";
import type { PlainResult } from "./plain-result.ts";
import type { ProblemCode } from "./problem.ts";
import type { QuestionAnswer, QuestionAskedEvent, QuestionEvent } from "./question.ts";
import type { Content } from "./result.ts";
import type { Access } from "./tool.ts";

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

export const ERROR = {
  properties: {
    error: { properties: { code: { type: "string" } as Typed<ApiErrorCode>, message: { type: "string" } } },
  },
} as const;

/** The response to a refused request. The message says what to do. */
export type ApiError = FromSchema<typeof ERROR>;

const TOOL_SCHEMA = {
  properties: {
    name: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,64}$" },
    description: { type: "string" },
    source: { enum: ["builtin", "custom", "plugin", "mcp"] },
    pluginName: { type: "string", description: "Only if the source is plugin.", optional: true },
    inputSchema: { type: "object", description: "JSON Schema 2020-12 of the input." },
    outputSchema: {
      type: "object",
      description: "JSON Schema 2020-12 of the data of its results. Only if the tool declares it.",
      optional: true,
    },
  },
} as const;

/** A tool in the REST API. */
export type ApiTool = FromSchema<typeof TOOL_SCHEMA>;

const TOOLS_SCHEMA = {
  properties: {
    tools: { items: TOOL_SCHEMA as typeof TOOL_SCHEMA },
    counts: {
      properties: {
        total: { type: "integer" },
        builtin: { type: "integer" },
        custom: { type: "integer" },
        plugin: { type: "integer" },
        mcp: { type: "integer" },
      },
    },
  },
} as const;

/** The response of `GET /api/tools`: the tools that can be called, and their number by source. */
export type ApiTools = FromSchema<typeof TOOLS_SCHEMA>;

const RELOAD_ERROR = {
  properties: {
    /** The file. */
    source: { type: "string" },
    toolName: { type: "string", optional: true },
    message: { type: "string" },
  },
} as const;

/** A problem found by a reload. */
export type ApiReloadError = FromSchema<typeof RELOAD_ERROR>;

const RELOAD = {
  properties: {
    success: { type: "boolean", description: "Whether there are no errors." },
    toolCount: { type: "integer" },
    errors: { items: RELOAD_ERROR as typeof RELOAD_ERROR },
  },
} as const;

/** The response of `POST /api/tools/reload`. */
export type ApiReload = FromSchema<typeof RELOAD>;

const PROBLEM = {
  properties: {
    file: { type: "string" },
    line: { type: "integer", optional: true },
    column: { type: "integer", optional: true },
    code: { type: "string" } as Typed<ProblemCode>,
    message: { type: "string" },
    tool: { type: "string", optional: true },
    frame: { type: "string", description: "The lines of the source around a syntax error.", optional: true },
  },
} as const;

export const PROBLEM_LISTS = {
  properties: {
    problems: { items: PROBLEM as typeof PROBLEM },
    shadowed: {
      items: {
        properties: {
          name: { type: "string" },
          file: { type: "string" },
          by: { type: "string" },
          /** Set for a built-in tool. */
          builtin: { const: true, optional: true },
        },
      },
    },
    blocked: {
      items: {
        properties: { directory: { type: "string" }, files: { items: { type: "string" } }, fix: { type: "string" } },
      },
    },
    warnings: {
      items: {
        properties: {
          file: { type: "string" },
          line: { type: "integer", optional: true },
          message: { type: "string" },
        },
      },
    },
  },
} as const;

/** The response of `GET /api/problems`: everything that keeps tools from being served. */
export type ApiProblems = FromSchema<typeof PROBLEM_LISTS>;

const RUN = {
  properties: {
    input: { type: "object", description: "The arguments of the tool.", format: "arguments", optional: true },
    sessionID: {
      type: "string",
      description: "Calls of one session share permissions and state, kept on disk.",
      format: "recorded session",
      optional: true,
    },
    agent: { type: "string", description: "The agent whose permission rules apply.", format: "name", optional: true },
    timeoutMs: { type: "number", exclusiveMinimum: 0, optional: true },
    /** To be answered with `POST /api/questions/:id`. */
    answerable: {
      type: "boolean",
      description: "Whether questions about the call are asked. Only for an event stream, where it is true by default.",
      optional: true,
    },
  },
} as const;

/** The request body of `POST /api/tools/:name/run`. */
export type ApiRunRequest = FromSchema<typeof RUN>;

export const CONTENT: Typed<Content> = {
  anyOf: [
    { properties: { type: { const: "text" }, text: { type: "string" } } },
    { properties: { type: { const: "image" }, data: { type: "string" }, mimeType: { type: "string" } } },
    {
      properties: {
        type: { const: "file" },
        mimeType: { type: "string" },
        name: { type: "string", optional: true },
        data: { type: "string", optional: true },
        url: { type: "string", optional: true },
      },
    },
  ],
};

const NOTES: ApiSchema = {
  properties: {
    title: { type: "string", optional: true },
    durationMs: { type: "number" },
    truncated: {
      properties: {
        keptBytes: { type: "integer" },
        totalBytes: { type: "integer" },
        omittedLines: { type: "integer" },
        fullOutput: { type: "string", optional: true },
      },
      optional: true,
    },
    returnedNothing: { const: true, description: "The tool returned undefined.", optional: true },
    thrownAt: { type: "string", description: "Where the tool threw: file:line:column.", optional: true },
    causes: { items: { type: "string" }, optional: true },
  },
};

const RESULT: Typed<PlainResult> = {
  properties: {
    ok: { type: "boolean" },
    output: { type: "string", description: "The text for a model." },
    content: { items: CONTENT },
    data: {
      description: "The data for programs. It matches the outputSchema of the tool, if there is one.",
      optional: true,
    },
    error: {
      properties: { code: { type: "string" }, message: { type: "string" }, data: { optional: true } },
      optional: true,
    },
    notes: NOTES,
  },
};

/** What a call touches, as its tool declares it. */
export const ACCESS: Typed<Access> = {
  anyOf: [
    { const: "undeclared" },
    {
      properties: {
        kind: { enum: ["read", "write", "execute", "network"] },
        target: { type: "string" },
        named: { type: "boolean", description: "Only a rule that names the target allows it.", optional: true },
      },
    },
  ],
};

const QUESTION_BASE: ApiSchema = {
  properties: {
    type: { const: "question.asked" },
    questionID: { type: "string" },
    callID: { type: "string" },
    tool: { type: "string" },
    sessionID: { type: "string" },
    messageID: { type: "string" },
    agent: { type: "string" },
    parentID: { type: "string", description: "The call that made this call.", optional: true },
    at: { type: "integer", description: "Milliseconds since the epoch." },
    reason: { type: "string", description: "Why the question is asked; the title of a dialog." },
  },
};

const PERMISSION_QUESTION: ApiSchema = {
  extends: QUESTION_BASE,
  properties: {
    kind: { const: "permission" },
    input: { description: "The arguments of the call." },
    access: { items: ACCESS },
    choices: { items: { enum: ["once", "session", "always"] } },
    rules: {
      items: {
        properties: {
          tool: { type: "string" },
          match: { type: "string", optional: true },
          agent: { type: "string", optional: true },
          action: { type: "string" },
        },
      },
      description: "The rules that remember adds.",
    },
    settingsFile: { type: "string", description: "The file to which always adds the rules." },
    request: {
      properties: {
        permission: { type: "string" },
        patterns: { items: { type: "string" } },
        always: { items: { type: "string" }, optional: true },
        metadata: { type: "object", optional: true },
      },
      description: "Only if the tool itself asks while it runs.",
      optional: true,
    },
  },
};

const DIALOG: ApiSchema = {
  extends: QUESTION_BASE,
  properties: {
    kind: { const: "dialog" },
    method: { enum: ["select", "confirm", "input", "editor"] },
    options: { items: { type: "string" }, description: "For select: the values to choose from.", optional: true },
    message: { type: "string", optional: true },
    placeholder: { type: "string", optional: true },
    prefill: { type: "string", optional: true },
  },
};

const QUESTION: Typed<QuestionAskedEvent> = { oneOf: [PERMISSION_QUESTION, DIALOG] };

const QUESTIONS = { properties: { questions: { items: QUESTION as typeof QUESTION } } } as const;

/** The response of `GET /api/questions`: the open questions, oldest first. */
export type ApiQuestions = FromSchema<typeof QUESTIONS>;

/** The request body of `POST /api/questions/:id`. */
export type ApiAnswer = QuestionAnswer;

export const ANSWER: Typed<QuestionAnswer> = {
  properties: {
    allowed: { type: "boolean", description: "For a dialog, false closes it without an answer." },
    remember: {
      enum: ["session", "always"],
      description: "One of the choices of the question; once if left out.",
      optional: true,
    },
    reason: { type: "string", maxLength: 10_000, description: "Why not, for the model.", optional: true },
    value: {
      description: "The answer to a dialog: one of its options, true or false (confirm), or a text.",
      optional: true,
    },
  },
};

export const TOOL_ROUTES = {
  "GET /api/tools": {
    summary: "List the tools that can be called",
    returns: "All tools.",
    answer: TOOLS_SCHEMA as typeof TOOLS_SCHEMA,
  },
  "GET /api/tools/{name}": { summary: "Get one tool", returns: "The tool.", answer: TOOL_SCHEMA as typeof TOOL_SCHEMA },
  "POST /api/tools/reload": {
    summary: "Reload the tool files",
    returns: "The result of the reload.",
    answer: RELOAD as typeof RELOAD,
  },
  "POST /api/tools/{name}/run": {
    summary: "Call a tool",
    description:
      'The answer is the result, or, with "Accept: text/event-stream", a stream: tool.start, any number of tool.update, tool.complete or tool.failed, and last result, whose data is the same as the JSON answer. A call that needs an answer of a person sends question.asked (schema Question) and waits; POST /api/questions/{id} answers it, and question.answered follows. The call is cancelled when the connection is closed.',
    body: RUN as typeof RUN,
    example: '{ "input": { … } }',
    hint: 'Arguments go into "input".',
    returns: "The call was made; it may have failed.",
    answer: RESULT as typeof RESULT,
    failures: {
      400: "The input is not valid: see error.data.issues.",
      403: "The call was not allowed.",
      404: "There is no such tool.",
    },
  },
  "GET /api/problems": {
    summary: "List problems that keep tools from being served",
    returns: "All problems.",
    answer: PROBLEM_LISTS as typeof PROBLEM_LISTS,
  },
  "GET /api/questions": {
    summary: "List the open questions",
    returns: "The open questions, oldest first.",
    answer: QUESTIONS as typeof QUESTIONS,
  },
  "POST /api/questions/{id}": {
    summary: "Answer a question",
    description: "The first answer counts.",
    body: ANSWER as typeof ANSWER,
    returns: "The question has this answer.",
    answer: { properties: { answered: { const: true } } },
    refusals: {
      400: "The answer does not fit the question. The message names the field, and says what is expected.",
      404: "There is no such question.",
      409: "The question has been answered, or its call has ended.",
    },
  },
} as const;

export const TOOL_SCHEMAS: ApiSchemas = {
  Tool: TOOL_SCHEMA,
  Tools: TOOLS_SCHEMA,
  Reload: RELOAD,
  Run: RUN,
  Content: CONTENT,
  Result: RESULT,
  Problems: PROBLEM_LISTS,
  Question: QUESTION,
  PermissionQuestion: PERMISSION_QUESTION,
  Dialog: DIALOG,
  Questions: QUESTIONS,
  Answer: ANSWER,
  Error: ERROR,
};

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
