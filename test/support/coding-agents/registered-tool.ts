import type { AgentCallEnd, AgentCallStart, AgentSource, RegisteredTool, ToolContext } from "../../../src/index.ts";

/** What the program of the suite has heard from its agent and from the tool that it registered. */
export interface Heard {
  readonly contexts: ToolContext[];
  readonly starts: AgentCallStart[];
  readonly ends: AgentCallEnd[];
}

/** The agents, each with a tool in code, and with listeners to its calls. */
export function withRegisteredTool(agents: AgentSource, heard: Heard): AgentSource {
  const tool: RegisteredTool = {
    name: "registered",
    description: "Looks up the mayor of a city.",
    inputSchema: { type: "object", properties: { city: { type: "string", minLength: 2 } }, required: ["city"] },
    handler: async ({ city }, context) => {
      heard.contexts.push(context);
      return { city, mayor: `Mayor of ${city}` };
    },
  };
  return {
    names: (context) => agents.names(context),
    create: async (name, context) => {
      const agent = await agents.create(name, context);
      agent.registerTool(tool);
      agent.on("tool.start", (start) => heard.starts.push(start));
      agent.on("tool.complete", (end) => heard.ends.push(end));
      return agent;
    },
  };
}
