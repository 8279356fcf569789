import { CODEX } from "../../support/agents/codex.ts";
import { describeAgent } from "../../support/agents/describe-agent.ts";

await describeAgent(CODEX);
