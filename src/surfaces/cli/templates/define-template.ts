import type { Template } from "./template.ts";

/** The form `define`: a tool that prepares itself, with its description in a text file. */
export const defineTemplate: Template = {
  about: "a tool that prepares itself first, with its description in a text file beside it",
  files: (name) => [
    { file: `${name}.ts`, text: textFor(name) },
    { file: `${name}.txt`, text: DESCRIPTION },
  ],
};

function textFor(name: string): string {
  return `// A tool that prepares itself. Its description is in ${name}.txt, beside this file: a model reads it to decide when to
// call the tool. Say there what it does, and when it is of use; \${directory} and \${workspace} are filled in.
// Nothing has to be installed: "toolwright" and the schema library Zod are always there.
import { Tool } from "toolwright";
import { z } from "zod";

// The arguments, as a Zod schema. A model reads their descriptions too.
const parameters = z.object({
  name: z.string().describe("Who is to be greeted, for example World"),
  times: z.number().int().min(1).max(10).default(1).describe("How often"),
});

// The first argument is what agents call the tool, and which .txt file is read.
export default Tool.define(${JSON.stringify(name)}, async () => {
  // Runs once, before the tool is first listed: read what the tool needs to know, look for programs.
  const greeting = "Hello";

  return {
    parameters,

    // The arguments have been checked when they come in, and defaults are filled in.
    // ctx: directory (where the call is about), abort (a signal), metadata() (shows progress), ask() (asks the user).
    async execute(args: z.infer<typeof parameters>, ctx) {
      ctx.metadata({ title: \`Greeting \${args.name}\` });
      const output = Array.from({ length: args.times }, () => \`\${greeting}, \${args.name}!\`).join("\\n");
      // \`output\` is what the model reads; \`title\` and \`metadata\` are for people and programs.
      // To fail, throw an Error that says what to do instead.
      return { title: \`Greeted \${args.name}\`, metadata: { times: args.times }, output };
    },
  };
});
`;
}

const DESCRIPTION = `Greets somebody by name. Use it to try out whether tools can be called in \${directory}.
`;
