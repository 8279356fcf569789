import { pathToFileURL } from "node:url";
import type { AgentSource } from "../../src/core/coding-agent.ts";
import type { Toolbox, ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { MODEL, type Talkers, type TalkersOptions, urlOf } from "./agent-talkers.ts";

/** The agent in sessions of Toolwright, which are stored on disk. */
export async function toolwright({ agent, folder, origin, library, agents }: TalkersOptions): Promise<Talkers> {
  const { createToolbox } = (await import(pathToFileURL(library).href)) as {
    createToolbox(options: ToolboxOptions): Promise<Toolbox>;
  };
  const { knownAgents } = (await import(pathToFileURL(agents).href)) as { knownAgents: AgentSource };
  const toolbox = await createToolbox({
    cwd: folder,
    trust: true,
    builtins: false,
    sessions: "disk",
    agents: knownAgents,
  });
  const model = MODEL[agent];
  const options = { agent, ...(model === undefined ? {} : { model, baseUrl: urlOf(agent, origin) }) };
  return {
    async open() {
      const id = crypto.randomUUID();
      return {
        async send(prompt) {
          const result = await toolbox.sessions.send(id, prompt, options).result;
          if (!result.ok) throw new Error(result.error.message);
          return result.text;
        },
      };
    },
    close: () => toolbox.close(),
  };
}
