import { VERSION } from "../../core/version.ts";

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 document of the REST API. */
export function openapiDocument(): Json {
  return {
    openapi: "3.1.0",
    info: { title: "Toolwright", version: VERSION, description: "The tools of one directory: list them, call them." },
    security: [{ token: [] }],
    paths: PATHS,
    components: { schemas: SCHEMAS, securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  };
}

const text = { type: "string" };
const many = (items: Json): Json => ({ type: "array", items });
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Json, required: readonly string[] = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const TOOL_NAME: Json = { name: "name", in: "path", required: true, schema: text };

const refused = (description: string): Json => ({
  description,
  content: { "application/json": { schema: ref("Error") } },
});

function answers(description: string, schema: Json, more: Json = {}): Json {
  return {
    responses: {
      200: { description, content: { "application/json": { schema } } },
      ...more,
      default: refused("The request was refused."),
    },
  };
}

const failedCall = (description: string): Json => ({
  description,
  content: { "application/json": { schema: { anyOf: [ref("Result"), ref("Error")] } } },
});

const PATHS: Json = {
  "/api/tools": { get: { summary: "List the tools that can be called", ...answers("All tools.", ref("Tools")) } },
  "/api/tools/{name}": {
    parameters: [TOOL_NAME],
    get: { summary: "Get one tool", ...answers("The tool.", ref("Tool")) },
  },
  "/api/tools/reload": {
    post: { summary: "Reload the tool files", ...answers("The result of the reload.", ref("Reload")) },
  },
  "/api/tools/{name}/run": {
    parameters: [TOOL_NAME],
    post: {
      summary: "Call a tool",
      description:
        'The answer is the result, or, with "Accept: text/event-stream", a stream: tool.start, any number of tool.update, tool.complete or tool.failed, and last result, whose data is the same as the JSON answer. A call that needs an answer of a person sends question.asked (schema Question) and waits; POST /api/questions/{id} answers it, and question.answered follows. The call is cancelled when the connection is closed.',
      requestBody: { content: { "application/json": { schema: ref("Run") } } },
      ...answers("The call was made; it may have failed.", ref("Result"), {
        400: failedCall("The input is not valid: see error.data.issues."),
        403: failedCall("The call was not allowed."),
        404: failedCall("There is no such tool."),
      }),
    },
  },
  "/api/questions": {
    get: { summary: "List the open questions", ...answers("The open questions, oldest first.", ref("Questions")) },
  },
  "/api/questions/{id}": {
    parameters: [{ name: "id", in: "path", required: true, schema: text }],
    post: {
      summary: "Answer a question",
      description: "The first answer counts.",
      requestBody: { required: true, content: { "application/json": { schema: ref("Answer") } } },
      ...answers("The question has this answer.", object({ answered: { const: true } }), {
        400: refused("The answer does not fit the question. The message names the field, and says what is expected."),
        404: refused("There is no such question."),
        409: refused("The question has been answered, or its call has ended."),
      }),
    },
  },
  "/api/problems": {
    get: { summary: "List problems that keep tools from being served", ...answers("All problems.", ref("Problems")) },
  },
  "/openapi.json": { get: { summary: "This document", ...answers("An OpenAPI document.", { type: "object" }) } },
  "/healthz": {
    get: {
      summary: "Check that the server is running",
      security: [],
      ...answers("It is running.", object({ status: text })),
    },
  },
  "/metrics": {
    get: {
      summary: "Prometheus metrics",
      responses: { 200: { description: "Prometheus text.", content: { "text/plain": { schema: text } } } },
    },
  },
};

const PROBLEM_KEYS = {
  file: text,
  line: { type: "integer" },
  column: { type: "integer" },
  code: text,
  message: text,
  tool: text,
  frame: { type: "string", description: "The lines of the source around a syntax error." },
};

const QUESTION_KEYS = {
  type: { const: "question.asked" },
  questionID: text,
  callID: text,
  tool: text,
  sessionID: text,
  messageID: text,
  agent: text,
  parentID: { type: "string", description: "The call that made this call." },
  at: { type: "integer", description: "Milliseconds since the epoch." },
  reason: { type: "string", description: "Why the question is asked; the title of a dialog." },
};

const REQUIRED_KEYS = Object.keys(QUESTION_KEYS).filter((key) => key !== "parentID");

const SCHEMAS: Json = {
  Tool: object(
    {
      name: { type: "string", pattern: "^[a-zA-Z0-9_-]{1,64}$" },
      description: text,
      source: { enum: ["builtin", "custom", "plugin", "mcp"] },
      pluginName: { type: "string", description: "Only if the source is plugin." },
      inputSchema: { type: "object", description: "JSON Schema 2020-12 of the input." },
      outputSchema: {
        type: "object",
        description: "JSON Schema 2020-12 of the data of its results. Only if the tool declares it.",
      },
    },
    ["name", "description", "source", "inputSchema"],
  ),
  Tools: object({
    tools: many(ref("Tool")),
    counts: object(
      Object.fromEntries(["total", "builtin", "custom", "plugin", "mcp"].map((key) => [key, { type: "integer" }])),
    ),
  }),
  Reload: object({
    success: { type: "boolean", description: "Whether there are no errors." },
    toolCount: { type: "integer" },
    errors: many(object({ source: text, toolName: text, message: text }, ["source", "message"])),
  }),
  Run: object(
    {
      input: { type: "object", description: "The arguments of the tool." },
      sessionID: { type: "string", description: "Calls of one session share permissions and state, kept on disk." },
      agent: { type: "string", description: "The agent whose permission rules apply." },
      timeoutMs: { type: "number", exclusiveMinimum: 0 },
      answerable: {
        type: "boolean",
        description:
          "Whether questions about the call are asked. Only for an event stream, where it is true by default.",
      },
    },
    [],
  ),
  Question: { oneOf: [ref("PermissionQuestion"), ref("Dialog")] },
  PermissionQuestion: object(
    {
      ...QUESTION_KEYS,
      kind: { const: "permission" },
      input: { description: "The arguments of the call." },
      access: many({
        anyOf: [
          { const: "undeclared" },
          object(
            {
              kind: { enum: ["read", "write", "execute", "network"] },
              target: text,
              named: { type: "boolean", description: "Only a rule that names the target allows it." },
            },
            ["kind", "target"],
          ),
        ],
      }),
      choices: many({ enum: ["once", "session", "always"] }),
      rules: {
        ...many(object({ tool: text, match: text, agent: text, action: text }, ["tool", "action"])),
        description: "The rules that remember adds.",
      },
      settingsFile: { type: "string", description: "The file to which always adds the rules." },
      request: {
        ...object({ permission: text, patterns: many(text), always: many(text), metadata: { type: "object" } }, [
          "permission",
          "patterns",
        ]),
        description: "Only if the tool itself asks while it runs.",
      },
    },
    [...REQUIRED_KEYS, "kind", "input", "access", "choices", "rules", "settingsFile"],
  ),
  Dialog: object(
    {
      ...QUESTION_KEYS,
      kind: { const: "dialog" },
      method: { enum: ["select", "confirm", "input", "editor"] },
      options: { ...many(text), description: "For select: the values to choose from." },
      message: text,
      placeholder: text,
      prefill: text,
    },
    [...REQUIRED_KEYS, "kind", "method"],
  ),
  Questions: object({ questions: many(ref("Question")) }),
  Answer: object(
    {
      allowed: { type: "boolean", description: "For a dialog, false closes it without an answer." },
      remember: { enum: ["session", "always"], description: "One of the choices of the question; once if left out." },
      reason: { type: "string", maxLength: 10_000, description: "Why not, for the model." },
      value: { description: "The answer to a dialog: one of its options, true or false (confirm), or a text." },
    },
    ["allowed"],
  ),
  Content: {
    anyOf: [
      object({ type: { const: "text" }, text }),
      object({ type: { const: "image" }, data: text, mimeType: text }),
      object({ type: { const: "file" }, mimeType: text, name: text, data: text, url: text }, ["type", "mimeType"]),
    ],
  },
  Result: object(
    {
      ok: { type: "boolean" },
      output: { type: "string", description: "The text for a model." },
      content: many(ref("Content")),
      data: { description: "The data for programs. It matches the outputSchema of the tool, if there is one." },
      error: object({ code: text, message: text, data: {} }, ["code", "message"]),
      notes: object(
        {
          title: text,
          durationMs: { type: "number" },
          truncated: object(
            {
              keptBytes: { type: "integer" },
              totalBytes: { type: "integer" },
              omittedLines: { type: "integer" },
              fullOutput: text,
            },
            ["keptBytes", "totalBytes", "omittedLines"],
          ),
          returnedNothing: { const: true, description: "The tool returned undefined." },
          thrownAt: { type: "string", description: "Where the tool threw: file:line:column." },
          causes: many(text),
        },
        ["durationMs"],
      ),
    },
    ["ok", "output", "content", "notes"],
  ),
  Problems: object({
    problems: many(object(PROBLEM_KEYS, ["file", "code", "message"])),
    shadowed: many(object({ name: text, file: text, by: text, builtin: { const: true } }, ["name", "file", "by"])),
    blocked: many(object({ directory: text, files: many(text), fix: text })),
    warnings: many(object({ file: text, line: { type: "integer" }, message: text }, ["file", "message"])),
  }),
  Error: object({ error: object({ code: text, message: text }) }),
};
