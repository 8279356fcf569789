import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { LANGCHAIN_ANTHROPIC } from "../../support/coding-agents/rows/langchain.ts";

await describeCodingAgent(LANGCHAIN_ANTHROPIC);
