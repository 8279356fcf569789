import { describeAgent } from "../../support/agents/describe-agent.ts";
import { describePi } from "../../support/agents/describe-pi.ts";
import { PI, PI_1 } from "../../support/agents/pi.ts";

for (const agent of [PI, PI_1]) await describeAgent(agent, () => describePi(agent, ".pi/agent", []));
