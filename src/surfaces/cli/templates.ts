/** A file that `toolwright new` writes. */
export interface TemplateFile {
  /** Its name in the tools folder. */
  readonly file: string;
  readonly text: string;
}

/** A first version of a tool in one format. It greets the person that `--name` names. */
export interface Template {
  /** One line for the help. */
  readonly about: string;
  /** Lines to print for a format without comments. */
  readonly notes?: readonly string[];
  /** The first file holds the tool. */
  files(name: string): readonly TemplateFile[];
}

/** Every format of `--format`. The first is the default. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  tool: {
    about: "one function and its arguments (default)",
    files: (name) => [{ file: `${name}.ts`, text: TOOL }],
  },
  factory: {
    about: "a function that creates tools, with an API for commands, logs and questions; runs in oh-my-pi too",
    files: (name) => [{ file: `${name}.ts`, text: factory(name) }],
  },
  json: {
    about: "a command, an HTTP request or a file to read, without code",
    notes: [
      "JSON has no comments. What to change:",
      "  description  a model reads it to decide when to call the tool: say what it does and when to use it",
      "  inputSchema  the arguments, as JSON Schema; a model reads their descriptions too",
      "  command      runs in the project's folder; {{name}} is replaced with the argument, never parsed by the shell",
      '  type         "shell", "http" (a request: url, method, headers) or "file-read" (a file below basePath)',
    ],
    files: (name) => [{ file: `${name}.json`, text: `${JSON.stringify(json(name), null, 2)}\n` }],
  },
  define: {
    about: "a tool with an init function, and its description in a text file",
    files: (name) => [
      { file: `${name}.ts`, text: define(name) },
      { file: `${name}.txt`, text: DEFINE_DESCRIPTION },
    ],
  },
  "pi-extension": {
    about: "a function that registers tools and listens to events; runs in pi too",
    files: (name) => [{ file: `${name}.ts`, text: piExtension(name) }],
  },
  "opencode-plugin": {
    about: "a function that returns tools, and hooks for the calls of all tools; runs in OpenCode too",
    files: (name) => [{ file: `${name}.ts`, text: opencodePlugin(name) }],
  },
  sdk: {
    about: "an object with inputSchema and handler, the format of agent SDKs",
    files: (name) => [{ file: `${name}.ts`, text: sdk(name) }],
  },
};

const TOOL = `// A tool that every coding agent can call. Its name is the name of this file.
// Nothing has to be installed: "toolwright" and its schema library Zod are always available.
import { tool } from "toolwright";

export default tool({
  // A model reads this to decide when to call the tool: say what it does and when to use it.
  description: "Greets a person by name. Use it to test whether tools can be called.",

  // The arguments, each a Zod schema. A model reads their descriptions too.
  args: {
    name: tool.schema.string().describe("Who to greet, for example World"),
    times: tool.schema.number().int().min(1).max(10).default(1).describe("How often"),
  },

  // The arguments are validated, and defaults are set.
  // context: directory (the working directory), abort (a signal), metadata() (shows progress), ask() (asks the user).
  async execute(args, context) {
    context.metadata({ title: \`Greeting \${args.name}\` });
    // The model reads the returned text. To fail, throw an Error that says what to do instead.
    return Array.from({ length: args.times }, () => \`Hello, \${args.name}!\`).join("\\n");
  },
});
`;

function factory(name: string): string {
  return `// A factory: a function that is called once, when the file is loaded, and returns a tool, or a list of tools.
// It imports only types, so that the same file runs in oh-my-pi.
import type { CustomTool, CustomToolAPI } from "toolwright";

// pi: cwd, exec() (runs a command), ui and hasUI (to ask the user), logger, typebox and zod (schemas).
export default function factory(pi: CustomToolAPI) {
  const { Type } = pi.typebox;

  // The arguments, as a TypeBox schema. A model reads their descriptions.
  const parameters = Type.Object({
    name: Type.String({ description: "Who to greet, for example World" }),
    times: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: "How often" }),
  });

  const tool: CustomTool<typeof parameters> = {
    // The name of the tool for agents. Use the name of the file, so that the file is easy to find.
    name: ${JSON.stringify(name)},
    // The name for people.
    label: "Greet",
    // A model reads this to decide when to call the tool: say what it does and when to use it.
    description: "Greets a person by name. Use it to test whether tools can be called.",
    parameters,

    // The parameters are validated, and defaults are set.
    // onUpdate() shows progress, ctx knows the session, signal fires when the call is cancelled.
    async execute(toolCallId, params, onUpdate, ctx, signal) {
      onUpdate?.({ content: [{ type: "text", text: \`Greeting \${params.name}\` }] });
      const text = Array.from({ length: params.times }, () => \`Hello, \${params.name}!\`).join("\\n");
      // The model reads \`content\`. To fail, throw an Error that says what to do instead.
      return { content: [{ type: "text", text }] };
    },
  };
  return tool;
}
`;
}

function json(name: string): unknown {
  return {
    name,
    version: "1.0.0",
    tools: [
      {
        name,
        description: "Greets a person by name. Use it to test whether tools can be called.",
        inputSchema: {
          type: "object",
          properties: {
            name: { type: "string", description: "Who to greet, for example World" },
            greeting: { type: "string", default: "Hello", description: "The greeting" },
          },
          required: ["name"],
        },
        handler: { type: "shell", command: "printf '%s, %s!\\n' '{{greeting}}' '{{name}}'", timeout: 10_000 },
      },
    ],
  };
}

function define(name: string): string {
  return `// A tool with an init function. Its description is in ${name}.txt, beside this file: a model reads it to decide when to
// call the tool. Say there what it does and when to use it; \${directory} and \${workspace} are replaced.
// Nothing has to be installed: "toolwright" and the schema library Zod are always available.
import { Tool } from "toolwright";
import { z } from "zod";

// The arguments, as a Zod schema. A model reads their descriptions too.
const parameters = z.object({
  name: z.string().describe("Who to greet, for example World"),
  times: z.number().int().min(1).max(10).default(1).describe("How often"),
});

// The first argument is the name of the tool, and of its .txt file.
export default Tool.define(${JSON.stringify(name)}, async () => {
  // Runs once, before the tool is first listed: read files, look for programs.
  const greeting = "Hello";

  return {
    parameters,

    // The arguments are validated, and defaults are set.
    // ctx: directory (the working directory), abort (a signal), metadata() (shows progress), ask() (asks the user).
    async execute(args: z.infer<typeof parameters>, ctx) {
      ctx.metadata({ title: \`Greeting \${args.name}\` });
      const output = Array.from({ length: args.times }, () => \`\${greeting}, \${args.name}!\`).join("\\n");
      // The model reads \`output\`; \`title\` and \`metadata\` are for people and programs.
      // To fail, throw an Error that says what to do instead.
      return { title: \`Greeted \${args.name}\`, metadata: { times: args.times }, output };
    },
  };
});
`;
}

const DEFINE_DESCRIPTION = `Greets a person by name. Use it to test whether tools can be called in \${directory}.
`;

function piExtension(name: string): string {
  return `// An extension: a function that is called once, when the file is loaded, and registers tools.
// It uses the API of pi, so that the same file runs in pi.
import type { ExtensionAPI } from "toolwright";
import { Type } from "typebox";

// pi: registerTool(), on() (events: "session_start", "tool_call", "tool_result" …), exec() (runs a command).
export default function extension(pi: ExtensionAPI) {
  pi.registerTool({
    // The name of the tool for agents. Use the name of the file, so that the file is easy to find.
    name: ${JSON.stringify(name)},
    // The name for people.
    label: "Greet",
    // A model reads this to decide when to call the tool: say what it does and when to use it.
    description: "Greets a person by name. Use it to test whether tools can be called.",

    // The arguments, as a TypeBox schema. A model reads their descriptions too.
    parameters: Type.Object({
      name: Type.String({ description: "Who to greet, for example World" }),
      times: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: "How often" }),
    }),

    // The parameters are validated, and defaults are set.
    // signal fires when the call is cancelled, onUpdate() shows progress, ctx knows the session.
    async execute(toolCallId, params, signal, onUpdate, ctx) {
      onUpdate?.({ content: [{ type: "text", text: \`Greeting \${params.name}\` }], details: {} });
      const text = Array.from({ length: params.times }, () => \`Hello, \${params.name}!\`).join("\\n");
      // The model reads \`content\`; \`details\` is for programs.
      // To fail, throw an Error that says what to do instead.
      return { content: [{ type: "text", text }], details: {} };
    },
  });
}
`;
}

function opencodePlugin(name: string): string {
  return `// A plugin: a function that is called once, when the file is loaded, and returns tools and hooks.
// It uses the API of OpenCode, so that the same file runs in OpenCode. Nothing has to be installed.
import { type Plugin, tool } from "@opencode-ai/plugin";

// The input has directory and worktree, and $, which runs commands: await $\`git status\`.text().
export const plugin: Plugin = async ({ directory }) => ({
  // The tools, by name. Use the name of the file, so that the file is easy to find.
  tool: {
    ${JSON.stringify(name)}: tool({
      // A model reads this to decide when to call the tool: say what it does and when to use it.
      description: \`Greets a person by name, in \${directory}. Use it to test whether tools can be called.\`,

      // The arguments, each a Zod schema. A model reads their descriptions too.
      args: {
        name: tool.schema.string().describe("Who to greet, for example World"),
        times: tool.schema.number().int().min(1).max(10).default(1).describe("How often"),
      },

      // The arguments are validated, and defaults are set.
      async execute(args, context) {
        context.metadata({ title: \`Greeting \${args.name}\` });
        // The model reads the returned text. To fail, throw an Error that says what to do instead.
        return Array.from({ length: args.times }, () => \`Hello, \${args.name}!\`).join("\\n");
      },
    }),
  },

  // Hooks see the calls of all tools. This one would refuse a call, with a message that the model reads:
  // "tool.execute.before": async ({ tool }, { args }) => {
  //   if (tool === "bash" && String(args.command).includes("sudo")) throw new Error("Do it without sudo.");
  // },
});
`;
}

function sdk(name: string): string {
  return `// A tool in the format of agent SDKs: a plain object, which a program can also import and pass to an SDK.
// Nothing has to be installed: "toolwright" and the schema library Zod are always available.
import type { SdkContext } from "toolwright";
import { z } from "zod";

// The arguments, as a Zod schema or a JSON Schema. A model reads their descriptions.
const inputSchema = z.object({
  name: z.string().describe("Who to greet, for example World"),
  times: z.number().int().min(1).max(10).default(1).describe("How often"),
});

export default {
  // The name of the tool for agents. Use the name of the file, so that the file is easy to find.
  name: ${JSON.stringify(name)},
  // A model reads this to decide when to call the tool: say what it does and when to use it.
  description: "Greets a person by name. Use it to test whether tools can be called.",
  inputSchema,

  // The input is validated, and defaults are set.
  // context: toolUseId, sessionId, signal (fires when the call is cancelled).
  async handler(input: z.infer<typeof inputSchema>, context: SdkContext) {
    context.signal?.throwIfAborted();
    const text = Array.from({ length: input.times }, () => \`Hello, \${input.name}!\`).join("\\n");
    // The model reads \`content\`. To fail, throw an Error that says what to do instead.
    return { content: [{ type: "text", text }] };
  },
};
`;
}
