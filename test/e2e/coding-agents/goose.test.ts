import { describeCodingAgent } from "../../support/coding-agents/describe-coding-agent.ts";
import { GOOSE } from "../../support/coding-agents/rows/goose.ts";

await describeCodingAgent(GOOSE);
