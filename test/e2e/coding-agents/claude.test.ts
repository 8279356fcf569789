import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { CLAUDE } from "../../support/coding-agents/rows/claude.ts";

await describeCodingAgent(CLAUDE);
