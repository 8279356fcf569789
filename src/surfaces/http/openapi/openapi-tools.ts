import { type ApiPart, answers, type Json, many, object, pathParameter, ref, text } from "./openapi-parts.ts";

const TOOL_NAME: Json = pathParameter("name");

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
  "/api/problems": {
    get: { summary: "List problems that keep tools from being served", ...answers("All problems.", ref("Problems")) },
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

/** The lists of problems that keep tools from being served. */
export const PROBLEM_LISTS: Json = {
  problems: many(object(PROBLEM_KEYS, ["file", "code", "message"])),
  shadowed: many(object({ name: text, file: text, by: text, builtin: { const: true } }, ["name", "file", "by"])),
  blocked: many(object({ directory: text, files: many(text), fix: text })),
  warnings: many(object({ file: text, line: { type: "integer" }, message: text }, ["file", "message"])),
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
  Problems: object(PROBLEM_LISTS),
};

/** The tools, their calls, and problems with them. */
export const TOOLS_API: ApiPart = { paths: PATHS, schemas: SCHEMAS };
