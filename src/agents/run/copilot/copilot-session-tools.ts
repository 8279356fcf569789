import type { AgentContext, SessionTools } from "../../../core/coding-agent.ts";
import type { ToolResult } from "../../../core/result.ts";
import { outputsFolder } from "../../../host/output/outputs.ts";
import { storedAttachment } from "../../../host/output/stored-attachment.ts";
import { wellFormed } from "../../../platform/text/well-formed.ts";
import { defined } from "../../../platform/values/defined.ts";
import { CLIENT_LIMITS, type ClientLimits, NO_LIMITS } from "../../../surfaces/client-limits/client-limits.ts";
import { fitTools } from "../../../surfaces/client-limits/fit-tools.ts";
import { type ResultFile, toModelResult } from "../model-result.ts";
import type { CopilotRequests } from "./copilot-requests.ts";
import type { CopilotSdkTool, CopilotToolResult } from "./copilot-sdk.ts";

/** The session of the tools, its requests, and the message that has a call. */
interface CallOwner {
  readonly sessionID: string;
  readonly requests: CopilotRequests;
  /** Called when the runtime calls a tool of ours. Returns the id of the message that has the call. */
  begin(callID: string): string | undefined;
}

/** The runtime is that of Copilot CLI. It drops tools whose root is not a plain object. Tools of the SDK have no prefix. */
const LIMITS: ClientLimits = {
  ...(CLIENT_LIMITS.find(({ id }) => id === "copilot-cli") ?? NO_LIMITS),
  names: NO_LIMITS.names,
};

/** Our tools as tools of the SDK. A tool with the name of one of Copilot's replaces it. */
export function toSdkTools(tools: SessionTools, owner: CallOwner, { toolwrightHome }: AgentContext): CopilotSdkTool[] {
  const outputs = outputsFolder(toolwrightHome);
  return fitTools(tools.list(), LIMITS).map(({ tool, name }) => ({
    name: tool.name,
    description: tool.description.toWellFormed(),
    parameters: { ...wellFormed(tool.inputSchema), type: "object" },
    overridesBuiltInTool: true,
    skipPermission: true,
    defer: "never",
    handler: (input, { toolCallId: callID, signal }) =>
      owner.requests.once(callID, async () => {
        const messageID = owner.begin(callID);
        const run = tools.call({ name, input: input ?? {}, callID, ...defined({ messageID, signal }) });
        const toLine = (part: ResultFile): string =>
          storedAttachment(part, outputs, { sessionID: owner.sessionID, callID });
        return toCopilotResult(await run.result, toLine);
      }),
  }));
}

function toCopilotResult(result: ToolResult, toLine: (part: ResultFile) => string): CopilotToolResult {
  const { text, images } = toModelResult(result, toLine);
  const binaryResultsForLlm = images.map(({ data, mimeType }) => ({ data, mimeType, type: "image" as const }));
  const shared = { textResultForLlm: text, ...(images.length === 0 ? {} : { binaryResultsForLlm }) };
  if (result.ok) return { ...shared, resultType: "success" };
  // Half a character would end the connection to the runtime.
  return { ...shared, resultType: "failure", error: result.error.message.toWellFormed() };
}
