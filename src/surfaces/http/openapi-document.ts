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

function answers(description: string, schema: Json, more: Json = {}): Json {
  return {
    responses: {
      200: { description, content: { "application/json": { schema } } },
      ...more,
      default: { description: "The request was refused.", content: { "application/json": { schema: ref("Error") } } },
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
        'The answer is the result, or, with "Accept: text/event-stream", a stream: tool.start, any number of tool.update, tool.complete or tool.failed, and last result, whose data is the same as the JSON answer. The call is cancelled when the connection is closed.',
      requestBody: { content: { "application/json": { schema: ref("Run") } } },
      ...answers("The call was made; it may have failed.", ref("Result"), {
        400: failedCall("The input is not valid: see error.data.issues."),
        403: failedCall("The call was not allowed."),
        404: failedCall("There is no such tool."),
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
      sessionID: { type: "string", description: "Calls of one session share permissions and state." },
      agent: { type: "string", description: "The agent whose permission rules apply." },
      timeoutMs: { type: "number", exclusiveMinimum: 0 },
    },
    [],
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
