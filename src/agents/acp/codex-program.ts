import { limitsOf } from "../../fitting/client-limits.ts";
import { type AcpProgram, fieldsOf, stringOf } from "./acp-program.ts";

/** Not "toolwright": `install` writes that name into the configuration of Codex, and Codex would merge both entries. */
const SERVER = "tw";

/**
 * Codex, through codex-acp. Our server is in its configuration and not in `session/new`, because only there it can be required: else
 * Codex starts its turn without tools when the server is slow. All of the configuration is for this process only.
 */
export const codex: AcpProgram = {
  program: { programs: ["codex-acp"], install: "@agentclientprotocol/codex-acp@2 @agentclientprotocol/sdk@2" },
  server: SERVER,
  limits: limitsOf({ name: "codex" }),
  resumesWith: "session/resume",
  prepare: async ({ options: { model, baseUrl, systemPrompt }, context: { env }, server: { url } }) => {
    const config = {
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : providerConfig(baseUrl, env)),
      ...(systemPrompt === undefined ? {} : { developer_instructions: systemPrompt }),
      check_for_update_on_startup: false,
      mcp_servers: {
        [SERVER]: {
          url,
          required: true,
          default_tools_approval_mode: "approve",
          omit_tools_from: ["deferred", "code_mode"],
          startup_timeout_sec: 60,
          // The pipeline has the time limits of our tools.
          tool_timeout_sec: 1_000_000,
        },
      },
    };
    return {
      env: {
        CODEX_CONFIG: JSON.stringify(config),
        // Its default mode asks a model for permission instead of us. This one asks us for all that writes or uses the network.
        INITIAL_AGENT_MODE: "read-only",
        NO_BROWSER: "1",
      },
      servers: [],
    };
  },
  ourTool: ({ _meta, rawInput }) => {
    const { server, tool, arguments: input } = fieldsOf(rawInput);
    if (_meta?.is_mcp_tool_call !== true || server !== SERVER || typeof tool !== "string") return undefined;
    return { listed: tool, input };
  },
  toolName: ({ name, kind, rawInput, _meta }) => {
    const { server, tool } = fieldsOf(rawInput);
    if (_meta?.is_mcp_tool_call === true) return `${stringOf(server) ?? "mcp"}.${stringOf(tool) ?? "tool"}`;
    return name ?? kind ?? "tool";
  },
  // Warnings of Codex have no id of a message.
  isNotice: ({ messageId }) => messageId === undefined || messageId === null,
};

/** A provider that speaks the Responses API of OpenAI. */
function providerConfig(baseUrl: string, { OPENAI_API_KEY }: { readonly OPENAI_API_KEY?: string | undefined }): object {
  const key = OPENAI_API_KEY === undefined || OPENAI_API_KEY === "" ? {} : { env_key: "OPENAI_API_KEY" };
  const provider = { name: "Toolwright", base_url: baseUrl, wire_api: "responses", ...key };
  return { model_provider: "toolwright", model_providers: { toolwright: provider } };
}
