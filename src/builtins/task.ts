import { Tool, tool } from "../index.ts";
import { defined } from "../platform/values/defined.ts";

const z = tool.schema;

export default Tool.define("task", {
  parameters: z.object({
    description: z.string().min(1).describe("What the task is, in three to five words"),
    prompt: z.string().min(1).describe("Everything the agent must know: it sees nothing else of this conversation"),
    subagent_type: z.string().min(1).describe("The kind of agent"),
    session_id: z.string().min(1).optional().describe("The session_id of an earlier task, to continue it"),
  }),
  // A task takes as long as its steps, which have their own limits.
  limits: { timeoutMs: 60 * 60 * 1_000 },
  hints: { title: "Hand work to an agent", openWorld: true },
  subagents: false,
  delegates: true,
  access: () => ["undeclared"],
  async execute({ description, prompt, subagent_type: agent, session_id }, context) {
    const resumed = defined({ sessionID: session_id });
    context.metadata({ title: description, metadata: { agent } });
    const { sessionID, output } = await context.delegate({ description, prompt, agent, ...resumed });
    const text = output.trim() === "" ? "The agent returned no text." : output;
    return {
      title: description,
      metadata: { session_id: sessionID, agent },
      output: `${text}\n\n[session_id: ${sessionID}]`,
    };
  },
});
