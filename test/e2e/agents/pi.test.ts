import { describeAgent } from "../../support/agents/describe-agent.ts";
import { PI } from "../../support/agents/pi.ts";

await describeAgent(PI);
