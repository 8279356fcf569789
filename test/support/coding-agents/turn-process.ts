/** A program that runs one turn of an agent: `node turn-process.ts '{"cwd": …}'`. Prints the events, one per line. */
import { writeSync } from "node:fs";
import { knownAgents } from "../../../src/agents/run/known-agents.ts";
import type { AgentSource } from "../../../src/core/coding-agent.ts";
import { createToolbox } from "../../../src/index.ts";
import type { SendOptions } from "../../../src/sessions/turn.ts";

export interface TurnProcessOptions {
  readonly cwd: string;
  readonly sessionID: string;
  readonly prompt: string;
  readonly options: SendOptions;
  /** A module that exports the agents as `plainAgents`. */
  readonly agents?: string;
}

const { cwd, sessionID, prompt, options, agents: module } = JSON.parse(process.argv[2] ?? "") as TurnProcessOptions;
const agents: AgentSource = module === undefined ? knownAgents : (await import(module)).plainAgents;
const toolbox = await createToolbox({ cwd, trust: true, builtins: false, sessions: "disk", agents });
const turn = toolbox.sessions.send(sessionID, prompt, options);
for await (const event of turn) writeSync(1, `${JSON.stringify(event)}\n`);
await turn.result;
await toolbox.close();
