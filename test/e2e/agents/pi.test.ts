import { describeAgent } from "../../support/agents/describe-agent.ts";
import { describePi } from "../../support/agents/describe-pi.ts";
import { PI, PI_1 } from "../../support/agents/pi.ts";
import { installed } from "../../support/installed.ts";

await installed("pi");
await installed("pi-versions");
for (const agent of [PI, PI_1]) await describeAgent(agent, () => describePi(agent, ".pi/agent", []));
