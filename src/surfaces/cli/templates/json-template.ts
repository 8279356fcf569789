import type { Template } from "./template.ts";

/** The form `json`: a command, a request or a file, with no code. */
export const jsonTemplate: Template = {
  about: "a command, an HTTP request or a file to read, described in JSON, with no code",
  notes: [
    "JSON has no comments, so here is what to change:",
    "  description  a model reads it to decide when to call the tool: say what it does, and when it is of use",
    "  inputSchema  the arguments, as JSON Schema; a model reads their descriptions too",
    "  command      what is run in the project's folder; {{name}} becomes that argument, and never shell syntax",
    '  type         "shell", "http" (a request: url, method, headers) or "file-read" (a file below basePath)',
  ],
  files: (name) => [{ file: `${name}.json`, text: `${JSON.stringify(contentFor(name), null, 2)}\n` }],
};

function contentFor(name: string): unknown {
  return {
    name,
    version: "1.0.0",
    tools: [
      {
        name,
        description: "Greets somebody by name. Use it to try out whether tools can be called.",
        inputSchema: {
          type: "object",
          properties: {
            name: { type: "string", description: "Who is to be greeted, for example World" },
            greeting: { type: "string", default: "Hello", description: "The word to greet with" },
          },
          required: ["name"],
        },
        handler: { type: "shell", command: "printf '%s, %s!\\n' '{{greeting}}' '{{name}}'", timeout: 10_000 },
      },
    ],
  };
}
