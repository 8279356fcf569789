import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { limitsOf } from "../../../surfaces/client-limits/client-limits.ts";
import { type AcpProgram, recordOf, refuseUntrusted, stringOf } from "./acp-program.ts";

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
  listsAtOpen: true,
  wantsTitle: true,
  resumesWith: "session/resume",
  prepare: async ({ options: { model, baseUrl, systemPrompt }, context, server: { url } }) => {
    // codex-acp marks the directory as trusted.
    refuseUntrusted("Codex", ".codex", context);
    const config = {
      ...(model === undefined ? {} : { model }),
      ...(baseUrl === undefined ? {} : providerConfig(baseUrl, context.env)),
      ...(systemPrompt === undefined ? {} : { developer_instructions: systemPrompt }),
      check_for_update_on_startup: false,
      // The pipeline has cut the output of our tools.
      tool_output_token_limit: 100_000,
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
    const { server, tool, arguments: input } = recordOf(rawInput);
    if (_meta?.is_mcp_tool_call !== true || server !== SERVER || typeof tool !== "string") return undefined;
    return { listed: tool, input };
  },
  // A permission request has no name, so that the name depends on what is always there.
  toolName: ({ kind, rawInput, _meta }) => {
    const { server, tool } = recordOf(rawInput);
    if (_meta?.is_mcp_tool_call === true) return `${stringOf(server) ?? "mcp"}.${stringOf(tool) ?? "tool"}`;
    return kind ?? "tool";
  },
  // Texts of the model have the id of a message.
  errorIn: ({ messageId, content }) =>
    messageId || content.type !== "text" ? undefined : messageOf(content.text.trim()),
};

/** The message in an error of the provider, which Codex shows as it is. */
function messageOf(text: string): string {
  const parsed = tryOrUndefined(() => recordOf(JSON.parse(text)));
  return stringOf(recordOf(parsed?.error).message) ?? text;
}

/** A provider that speaks the Responses API of OpenAI. */
function providerConfig(baseUrl: string, { OPENAI_API_KEY }: { readonly OPENAI_API_KEY?: string | undefined }): object {
  const key = OPENAI_API_KEY === undefined || OPENAI_API_KEY === "" ? {} : { env_key: "OPENAI_API_KEY" };
  const provider = { name: "Toolwright", base_url: baseUrl, wire_api: "responses", ...key };
  return { model_provider: "toolwright", model_providers: { toolwright: provider } };
}
