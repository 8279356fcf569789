import { limitsOf } from "../../../surfaces/client-limits/client-limits.ts";
import { type AcpProgram, entryOf, refuseUntrusted } from "./acp-program.ts";

const SERVER = "toolwright";

/**
 * Gemini CLI. Its sessions are not continued: within the minute in which a session was used, `session/load` erases it. The next turn
 * then begins with a transcript.
 */
export const gemini: AcpProgram = {
  program: { programs: ["gemini"], args: ["--acp"], install: "@google/gemini-cli @agentclientprotocol/sdk@2" },
  server: SERVER,
  limits: limitsOf({ name: "gemini-cli" }),
  prepare: async ({ options: { model, baseUrl, systemPrompt }, context, server }) => {
    refuseUntrusted("Gemini", ".gemini", context);
    return {
      args: ["--skip-trust", "--approval-mode", "default", ...(model === undefined ? [] : ["--model", model])],
      env: {
        // Its first process would start a second one that survives SIGTERM.
        GEMINI_CLI_NO_RELAUNCH: "true",
        ...(baseUrl === undefined ? {} : { GOOGLE_GEMINI_BASE_URL: baseUrl }),
      },
      servers: [entryOf(SERVER, server)],
      ...(systemPrompt === undefined ? {} : { preface: systemPrompt }),
    };
  },
  hidesInput: true,
  // Gemini tells neither the name of a tool nor its input. But it begins the id of a call with the name of its function: a call of
  // another tool whose title looks like one of ours has another id.
  ourTool: ({ title, toolCallId }) => {
    const [, listed] = TITLE.exec(title ?? "") ?? [];
    const name = `mcp_${SERVER}_${listed}`;
    if (listed === undefined || !toolCallId.startsWith(name)) return undefined;
    const [, separator, id] = /^(__|-)(.+)$/.exec(toolCallId.slice(name.length)) ?? [];
    if (id === undefined) return undefined;
    return { listed, callID: separator === "__" ? id : toolCallId };
  },
  toolName: ({ toolCallId, kind }) => /^([a-z]\w*?)(?:__|-)/.exec(toolCallId)?.[1] ?? kind ?? "tool",
};

const TITLE = new RegExp(`^(.+) \\(${SERVER} MCP Server\\)$`);
