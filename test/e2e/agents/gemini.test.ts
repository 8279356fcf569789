import { describeAgent } from "../../support/agents/describe-agent.ts";
import { GEMINI_CLI } from "../../support/agents/gemini.ts";

await describeAgent(GEMINI_CLI);
