import { fileURLToPath } from "node:url";
import { CHAT } from "../../agents/chat-wire.ts";
import type { AgentRow } from "../agent-row.ts";
import { plainAgents } from "../plain-agent.ts";

const NO_TOOLS = "it has no tools of its own";

export const PLAIN: AgentRow = {
  requirement: "G7",
  name: "plain",
  allCases: true,
  source: { agents: plainAgents, module: fileURLToPath(new URL("../plain-agent.ts", import.meta.url)) },
  wire: CHAT,
  model: "scripted",
  baseUrl: (origin) => `${origin}/v1`,
  toolName: (name) => name,
  impossible: {
    ownRefused: NO_TOOLS,
    ownAsked: NO_TOOLS,
    ownAllowed: NO_TOOLS,
    ownAborted: NO_TOOLS,
    agentKilled: "it runs in our process",
  },
};
