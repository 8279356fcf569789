import type { Template } from "./template.ts";

/** The form `opencode-plugin`: a function that returns tools and hooks. */
export const openCodePluginTemplate: Template = {
  about: "a function that returns tools, and hooks around the calls of all tools; OpenCode runs it too",
  files: (name) => [{ file: `${name}.ts`, text: textFor(name) }],
};

function textFor(name: string): string {
  return `// A plugin: a function that is called once, when the file is loaded, and returns tools and hooks.
// It is written as OpenCode wants it, so that the same file runs in OpenCode. Nothing has to be installed.
import { type Plugin, tool } from "@opencode-ai/plugin";

// Of the input: directory and worktree (where this is), $ (runs commands: await $\`git status\`.text()).
export const plugin: Plugin = async ({ directory }) => ({
  // The tools, each under its name. Keep it the name of the file, so that one leads to the other.
  tool: {
    ${JSON.stringify(name)}: tool({
      // A model reads this to decide when to call the tool: say what it does, and when it is of use.
      description: \`Greets somebody by name, in \${directory}. Use it to try out whether tools can be called.\`,

      // The arguments, each a Zod schema. A model reads their descriptions too.
      args: {
        name: tool.schema.string().describe("Who is to be greeted, for example World"),
        times: tool.schema.number().int().min(1).max(10).default(1).describe("How often"),
      },

      // The arguments have been checked when they come in, and defaults are filled in.
      async execute(args, context) {
        context.metadata({ title: \`Greeting \${args.name}\` });
        // What is returned is what the model reads. To fail, throw an Error that says what to do instead.
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
