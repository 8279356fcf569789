import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { GEMINI_CLI } from "../../support/coding-agents/rows/gemini.ts";

await describeCodingAgent(GEMINI_CLI);
