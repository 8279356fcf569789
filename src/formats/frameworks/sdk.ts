import type { ToolContext } from "../../authoring/tool-function.ts";
import type { CallContext, Tool } from "../../core/tool.ts";
import { buildTool, readAdvisoryOutput, readInputSchema } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { authorContext } from "../toolwright/read-tool.ts";
import { fromAnnotations } from "./annotations.ts";
import { textParts } from "./result-parts.ts";

/** What agent SDKs take: `{ name, description, inputSchema | parameters, handler(input, context) }`. */
interface SdkTool {
  readonly name: string;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly parameters?: unknown;
  readonly annotations?: unknown;
  handler?(input: unknown, context: unknown): unknown;
  execute?(input: unknown, context: unknown): unknown;
}

/** A tool in the shape of an agent SDK: Claude's, Copilot's, or one of a program's own. */
export async function readSdkTool(definition: SdkTool, at: ExportContext): Promise<Tool> {
  const { name, description, inputSchema, parameters, annotations } = definition;
  return buildTool(
    {
      format: "sdk",
      ownName: name,
      description,
      input: await readInputSchema(inputSchema ?? parameters, name, inputSchema ? "inputSchema" : "parameters"),
      output: await readAdvisoryOutput(definition.outputSchema),
      hints: fromAnnotations(annotations),
      run: async (input, context) => {
        const given = sdkContext(name, input, context);
        const answer = definition.handler ? definition.handler(input, given) : definition.execute?.(input, given);
        return fromCopilot(await answer);
      },
    },
    at,
  );
}

/** What a handler is told of a call, under the names that each of the SDKs uses. */
export interface SdkContext extends ToolContext {
  readonly toolUseId: string;
  readonly toolCallId: string;
  readonly requestId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly _meta: Readonly<Record<string, unknown>>;
  /** MCP's way of showing progress; other notifications go nowhere. */
  sendNotification(notification: unknown): Promise<void>;
}

function sdkContext(toolName: string, input: unknown, context: CallContext): SdkContext {
  const { callID, sessionID, abort } = context;
  return {
    ...authorContext(context),
    toolUseId: callID,
    toolCallId: callID,
    requestId: callID,
    toolName,
    arguments: input,
    sessionId: sessionID,
    signal: abort,
    _meta: { "claudecode/toolUseId": callID, progressToken: callID },
    sendNotification: async (notification) => showProgress(notification, context),
  };
}

function showProgress(notification: unknown, context: CallContext): void {
  const { method, params } = (notification ?? {}) as { method?: unknown; params?: Record<string, unknown> };
  if (method !== "notifications/progress") return;
  const { progressToken: _, ...metadata } = params ?? {};
  context.metadata({ ...(typeof metadata.message === "string" ? { title: metadata.message } : {}), metadata });
}

interface CopilotResult {
  readonly textResultForLlm: string;
  readonly resultType: unknown;
  readonly error?: unknown;
  readonly binaryResultsForLlm?: readonly unknown[];
}

/** Copilot's result object in the form that all others have; anything else is as it was. */
function fromCopilot(result: unknown): unknown {
  if (!isCopilotResult(result)) return result;
  const { textResultForLlm, resultType, error, binaryResultsForLlm = [] } = result;
  const isError = resultType !== "success";
  const text = textResultForLlm || (isError && typeof error === "string" ? error : "");
  return { content: [...textParts(text), ...binaryResultsForLlm.map(fromBinary)], isError };
}

function isCopilotResult(result: unknown): result is CopilotResult {
  if (typeof result !== "object" || result === null) return false;
  return "resultType" in result && "textResultForLlm" in result && typeof result.textResultForLlm === "string";
}

/** Its "resource" holds the bytes itself, where MCP's holds an object. */
function fromBinary(part: unknown): unknown {
  const { type, data, mimeType, description } = (part ?? {}) as Record<string, unknown>;
  return type === "resource" ? { type: "file", data, mimeType, name: description } : part;
}
