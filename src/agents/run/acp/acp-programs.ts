import { AgentError } from "../../../core/agent-error.ts";
import { defined } from "../../../platform/values/defined.ts";
import type { AcpProgram } from "./acp-program.ts";
import { entryOf } from "./acp-program.ts";
import { codex } from "./codex-program.ts";
import { gemini } from "./gemini-program.ts";
import { goose } from "./goose-program.ts";
import { pi } from "./pi-program.ts";

/** The agents that are known to speak ACP. */
export const ACP_PROGRAMS: Readonly<Record<string, AcpProgram>> = { codex, gemini, goose, pi };

const NO_BASE_URL =
  "The address of the model cannot be set for this agent. Set it in the settings of the agent itself.";
const SERVER = "toolwright";

/** How agents name the tool of an MCP server. */
const OUR_NAME = new RegExp(`^(?:mcp_{1,2})?${SERVER}(?:__|[_.:/-])(.+)$`);

/** An agent whose command is in the user's settings. Its calls of our tools are recognised only if it tells the names of tools. */
export const otherProgram: AcpProgram = {
  server: SERVER,
  resumesWith: "session/load",
  prepare: async ({ options: { model, baseUrl, systemPrompt }, server }) => {
    if (baseUrl !== undefined) throw new AgentError("unsupported", NO_BASE_URL);
    return {
      servers: [entryOf(SERVER, server)],
      ...defined({ model, preface: systemPrompt }),
    };
  },
  ourTool: ({ name, rawInput }) => {
    const [, listed] = OUR_NAME.exec(name ?? "") ?? [];
    return listed === undefined ? undefined : { listed, input: rawInput };
  },
  toolName: ({ name, kind }) => name ?? kind ?? "tool",
};
