import { NO_LIMITS } from "../../../surfaces/client-limits/client-limits.ts";
import { type AcpProgram, entryOf, recordOf, stringOf } from "./acp-program.ts";

const PLATFORM = `${process.platform}-${process.arch}`;
const SERVER = "toolwright";

/** goose has a program for each platform; that of the npm package is named after it. */
export const goose: AcpProgram = {
  program: {
    programs: ["goose", `goose-binary-${PLATFORM}`],
    args: ["acp"],
    install: `@aaif/goose-binary-${PLATFORM}@1 @agentclientprotocol/sdk@2`,
  },
  server: SERVER,
  // It names tools `<server>__<tool>`, and passes schemas on unchanged.
  limits: { ...NO_LIMITS, names: { prefix: "{server}__", maxLength: 64 } },
  resumesWith: "session/load",
  prepare: async ({ options: { model, baseUrl, systemPrompt }, server }) => ({
    env: {
      // It asks before every call.
      GOOSE_MODE: "approve",
      GOOSE_TELEMETRY_ENABLED: "false",
      GOOSE_DISABLE_SESSION_NAMING: "true",
      ...(model === undefined ? {} : { GOOSE_MODEL: model }),
      ...(baseUrl === undefined ? {} : { GOOSE_PROVIDER: "openai", ...hostOf(baseUrl) }),
    },
    servers: [entryOf(SERVER, server)],
    ...(systemPrompt === undefined ? {} : { preface: systemPrompt }),
  }),
  ourTool: (call) => {
    const { toolName, extensionName } = toolOf(call);
    const prefix = `${SERVER}__`;
    if (extensionName !== SERVER || !toolName?.startsWith(prefix)) return undefined;
    return { listed: toolName.slice(prefix.length), input: call.rawInput };
  },
  // Texts of the model have the id of the provider's response.
  errorIn: ({ content, messageId }) => {
    if (content.type !== "text" || !messageId?.startsWith("msg_")) return undefined;
    return /^(?:Ran into this error: |(?=Network error: ))([\s\S]+?)(?:\n\nPlease re(?:try|send) [\s\S]*)?$/.exec(
      content.text,
    )?.[1];
  },
  toolName: (call) => toolOf(call).toolName ?? call.name ?? call.kind ?? "tool",
};

function toolOf({ _meta }: { readonly _meta?: unknown }): {
  toolName: string | undefined;
  extensionName: string | undefined;
} {
  const { toolName, extensionName } = recordOf(recordOf(recordOf(_meta).goose).toolCall);
  return { toolName: stringOf(toolName), extensionName: stringOf(extensionName) };
}

/** It takes the address in two parts. */
function hostOf(baseUrl: string): Record<string, string> {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/^\/|\/$/g, "");
  return { OPENAI_HOST: origin, OPENAI_BASE_PATH: `${path === "" ? "" : `${path}/`}chat/completions` };
}
