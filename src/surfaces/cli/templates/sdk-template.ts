import type { Template } from "./template.ts";

/** The form `sdk`: an object with a handler, as agents' SDKs take them. */
export const sdkTemplate: Template = {
  about: "an object with inputSchema and handler, as the SDKs of agents take tools",
  files: (name) => [{ file: `${name}.ts`, text: textFor(name) }],
};

function textFor(name: string): string {
  return `// A tool as the SDKs of agents take them: a plain object, which a program can import and hand to an SDK as well.
// Nothing has to be installed: "toolwright" and the schema library Zod are always there.
import type { SdkContext } from "toolwright";
import { z } from "zod";

// The arguments, as a Zod schema; JSON Schema will do as well. A model reads their descriptions.
const inputSchema = z.object({
  name: z.string().describe("Who is to be greeted, for example World"),
  times: z.number().int().min(1).max(10).default(1).describe("How often"),
});

export default {
  // What agents call the tool. Keep it the name of the file, so that one leads to the other.
  name: ${JSON.stringify(name)},
  // A model reads this to decide when to call the tool: say what it does, and when it is of use.
  description: "Greets somebody by name. Use it to try out whether tools can be called.",
  inputSchema,

  // The input has been checked when it comes in, and defaults are filled in.
  // context: toolUseId, sessionId, signal (fires when the call is cancelled).
  async handler(input: z.infer<typeof inputSchema>, context: SdkContext) {
    context.signal?.throwIfAborted();
    const text = Array.from({ length: input.times }, () => \`Hello, \${input.name}!\`).join("\\n");
    // \`content\` is what the model reads. To fail, throw an Error that says what to do instead.
    return { content: [{ type: "text", text }] };
  },
};
`;
}
