import type { Template } from "./template.ts";

/** The form `pi-extension`: a function that registers tools. */
export const piExtensionTemplate: Template = {
  about: "a function that registers tools and listens to events; pi runs it too",
  files: (name) => [{ file: `${name}.ts`, text: textFor(name) }],
};

function textFor(name: string): string {
  return `// An extension: a function that is called once, when the file is loaded, and registers tools.
// It is written as pi wants it, so that the same file runs in pi.
import type { ExtensionAPI } from "toolwright";
import { Type } from "typebox";

// pi: registerTool(), on() (events: "session_start", "tool_call", "tool_result" …), exec() (runs a command).
export default function extension(pi: ExtensionAPI) {
  pi.registerTool({
    // What agents call the tool. Keep it the name of the file, so that one leads to the other.
    name: ${JSON.stringify(name)},
    // What people see.
    label: "Greet",
    // A model reads this to decide when to call the tool: say what it does, and when it is of use.
    description: "Greets somebody by name. Use it to try out whether tools can be called.",

    // The arguments, as a TypeBox schema. A model reads their descriptions too.
    parameters: Type.Object({
      name: Type.String({ description: "Who is to be greeted, for example World" }),
      times: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: "How often" }),
    }),

    // The parameters have been checked when they come in, and defaults are filled in.
    // signal fires when the call is cancelled, onUpdate() shows progress, ctx knows the session.
    async execute(toolCallId, params, signal, onUpdate, ctx) {
      onUpdate?.({ content: [{ type: "text", text: \`Greeting \${params.name}\` }], details: {} });
      const text = Array.from({ length: params.times }, () => \`Hello, \${params.name}!\`).join("\\n");
      // \`content\` is what the model reads, \`details\` is for programs.
      // To fail, throw an Error that says what to do instead.
      return { content: [{ type: "text", text }], details: {} };
    },
  });
}
`;
}
