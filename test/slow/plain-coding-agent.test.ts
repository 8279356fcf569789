import { describeCodingAgent } from "../support/coding-agents/describe-coding-agent.ts";
import { PLAIN } from "../support/coding-agents/rows/plain.ts";

await describeCodingAgent(PLAIN);
