import { describeAgent } from "../../support/agents/describe-agent.ts";
import { describePi } from "../../support/agents/describe-pi.ts";
import { OH_MY_PI } from "../../support/agents/oh-my-pi.ts";
import { installed } from "../../support/installed.ts";

await installed("bun");
await installed("oh-my-pi");
await describeAgent(OH_MY_PI, () => describePi(OH_MY_PI, ".omp/agent", ["--model", "local/scripted", "--no-title"]));
