import { describeAgent } from "../../support/agents/describe-agent.ts";
import { OPENCODE } from "../../support/agents/opencode.ts";

await describeAgent(OPENCODE);
