import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { PI } from "../../support/coding-agents/rows/pi.ts";

await describeCodingAgent(PI);
