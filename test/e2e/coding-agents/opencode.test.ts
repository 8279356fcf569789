import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { OPENCODE } from "../../support/coding-agents/rows/opencode.ts";

await describeCodingAgent(OPENCODE);
