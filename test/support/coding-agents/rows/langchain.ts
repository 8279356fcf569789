import { ANTHROPIC } from "../../agents/anthropic-wire.ts";
import { CHAT } from "../../agents/chat-wire.ts";
import type { AgentRow } from "../agent-row.ts";

const NO_TOOLS = "it has no tools of its own";

/** LangChain's agent with a model of OpenAI's API. */
const OF_OPENAI: AgentRow = {
  requirement: "G4",
  name: "langchain",
  folder: "langchain",
  wire: CHAT,
  model: "scripted",
  baseUrl: (origin) => `${origin}/v1`,
  env: () => ({ OPENAI_API_KEY: "dummy", ANTHROPIC_API_KEY: "dummy" }),
  toolName: (name) => name,
  impossible: {
    ownRefused: NO_TOOLS,
    ownAsked: NO_TOOLS,
    ownAllowed: NO_TOOLS,
    ownAborted: NO_TOOLS,
    agentKilled: "it runs in our process",
  },
};

export const LANGCHAIN: AgentRow = { ...OF_OPENAI, allCases: true };

/** The same with a model of Anthropic's API. */
export const LANGCHAIN_ANTHROPIC: AgentRow = {
  ...OF_OPENAI,
  wire: ANTHROPIC,
  model: "anthropic:scripted",
  baseUrl: (origin) => origin,
};
