import type { Template } from "./template.ts";

/** The form `factory`: a function that makes tools. */
export const factoryTemplate: Template = {
  about: "a function that makes one tool or several, with commands, logs and questions at hand; oh-my-pi runs it too",
  files: (name) => [{ file: `${name}.ts`, text: textFor(name) }],
};

function textFor(name: string): string {
  return `// A factory: a function that is called once, when the file is loaded, and returns a tool, or a list of tools.
// The types are all that is imported, so that the same file runs in oh-my-pi.
import type { CustomTool, CustomToolAPI } from "toolwright";

// pi: cwd, exec() (runs a command), ui and hasUI (to ask the user), logger, typebox and zod (schemas).
export default function factory(pi: CustomToolAPI) {
  const { Type } = pi.typebox;

  // The arguments, as a TypeBox schema. A model reads their descriptions.
  const parameters = Type.Object({
    name: Type.String({ description: "Who is to be greeted, for example World" }),
    times: Type.Integer({ minimum: 1, maximum: 10, default: 1, description: "How often" }),
  });

  const tool: CustomTool<typeof parameters> = {
    // What agents call the tool. Keep it the name of the file, so that one leads to the other.
    name: ${JSON.stringify(name)},
    // What people see.
    label: "Greet",
    // A model reads this to decide when to call the tool: say what it does, and when it is of use.
    description: "Greets somebody by name. Use it to try out whether tools can be called.",
    parameters,

    // The parameters have been checked when they come in, and defaults are filled in.
    // onUpdate() shows progress, ctx knows the session, signal fires when the call is cancelled.
    async execute(toolCallId, params, onUpdate, ctx, signal) {
      onUpdate?.({ content: [{ type: "text", text: \`Greeting \${params.name}\` }] });
      const text = Array.from({ length: params.times }, () => \`Hello, \${params.name}!\`).join("\\n");
      // \`content\` is what the model reads. To fail, throw an Error that says what to do instead.
      return { content: [{ type: "text", text }] };
    },
  };
  return tool;
}
`;
}
