import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { LANGCHAIN } from "../../support/coding-agents/rows/langchain.ts";

await describeCodingAgent(LANGCHAIN);
