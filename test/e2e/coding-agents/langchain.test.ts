import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { LANGCHAIN } from "../../support/coding-agents/langchain.ts";

await describeCodingAgent(LANGCHAIN);
