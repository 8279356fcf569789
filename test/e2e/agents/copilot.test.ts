import { COPILOT } from "../../support/agents/copilot.ts";
import { describeAgent } from "../../support/agents/describe-agent.ts";

await describeAgent(COPILOT);
