import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { CODEX } from "../../support/coding-agents/rows/codex.ts";

await describeCodingAgent(CODEX);
