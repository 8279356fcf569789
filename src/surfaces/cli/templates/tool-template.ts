import type { Template } from "./template.ts";

/** The form `tool`, for somebody who has never written one. */
export const toolTemplate: Template = {
  about: "one function and its arguments: the usual choice",
  files: (name) => [{ file: `${name}.ts`, text: TEXT }],
};

const TEXT = `// A tool that every coding agent can call. Its name is the name of this file.
// Nothing has to be installed: "toolwright", and the schema library Zod in it, are always there.
import { tool } from "toolwright";

export default tool({
  // A model reads this to decide when to call the tool: say what it does, and when it is of use.
  description: "Greets somebody by name. Use it to try out whether tools can be called.",

  // The arguments, each a Zod schema. A model reads their descriptions too.
  args: {
    name: tool.schema.string().describe("Who is to be greeted, for example World"),
    times: tool.schema.number().int().min(1).max(10).default(1).describe("How often"),
  },

  // The arguments have been checked when they come in, and defaults are filled in.
  // context: directory (where the call is about), abort (a signal), metadata() (shows progress), ask() (asks the user).
  async execute(args, context) {
    context.metadata({ title: \`Greeting \${args.name}\` });
    // What is returned is what the model reads. To fail, throw an Error that says what to do instead.
    return Array.from({ length: args.times }, () => \`Hello, \${args.name}!\`).join("\\n");
  },
});
`;
