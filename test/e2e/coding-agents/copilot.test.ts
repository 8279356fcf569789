import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { COPILOT } from "../../support/coding-agents/rows/copilot.ts";

await describeCodingAgent(COPILOT);
