import { CLAUDE } from "../../support/coding-agents/claude.ts";
import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";

await describeCodingAgent(CLAUDE);
