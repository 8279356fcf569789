import { CLAUDE_CALL_ID_META } from "../../../core/agent-extension.ts";
import type { Tool, ToolContext } from "../../../core/tool.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { buildTool, readAdvisoryOutput, readDeclaredInput } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { fromAnnotations } from "./annotations.ts";
import { fromCopilot } from "./copilot-result.ts";
import { functionIn } from "./sdk-function.ts";

/** What a model and MCP clients are told about a tool. */
interface Description {
  readonly name?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly parameters?: unknown;
  readonly annotations?: unknown;
}

/** The tool objects of agent SDKs. `config` is the second argument of `registerTool()` of an MCP server. */
interface SdkTool extends Description {
  readonly config?: Description;
  handler?(input: unknown, context: unknown): unknown;
  execute?(input: unknown, context: unknown): unknown;
}

/** The names of the schema of the arguments. */
const SCHEMA_FIELDS = ["inputSchema", "parameters", "parametersSchema", "schema"];

/** Reads a tool of the Claude Agent SDK, the Copilot SDK, or an SDK with the same shape. */
export async function readSdkTool(definition: SdkTool, at: ExportContext): Promise<Tool> {
  const described: Description = isObject(definition.config) ? { ...definition.config, ...definition } : definition;
  const { description, title, annotations } = described;
  const name = String(described.name);
  const run = functionIn(definition);
  return buildTool(
    {
      format: "sdk",
      ownName: name,
      description,
      input: await readDeclaredInput(described, SCHEMA_FIELDS, name),
      output: await readAdvisoryOutput(described.outputSchema),
      hints: { ...(typeof title === "string" ? { title } : {}), ...fromAnnotations(annotations) },
      run: async (input, context) => fromCopilot(await run?.(input, sdkContext(name, input, context))),
      authorFunction: definition.handler ?? definition.execute,
    },
    at,
  );
}

/** The context of a handler, with the field names of each SDK. */
export interface SdkContext extends ToolContext {
  readonly toolUseId: string;
  readonly toolCallId: string;
  readonly requestId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly _meta: Readonly<Record<string, unknown>>;
  /** Shows progress notifications of MCP. Other notifications are ignored. */
  sendNotification(notification: unknown): Promise<void>;
}

function sdkContext(toolName: string, input: unknown, context: ToolContext): SdkContext {
  const { callID, sessionID, abort } = context;
  return {
    ...context,
    toolUseId: callID,
    toolCallId: callID,
    requestId: callID,
    toolName,
    arguments: input,
    sessionId: sessionID,
    signal: abort,
    _meta: { [CLAUDE_CALL_ID_META]: callID, progressToken: callID },
    sendNotification: async (notification) => showProgress(notification, context),
  };
}

/** Shows a progress notification of MCP. Other notifications are ignored. */
export function showProgress(notification: unknown, context: ToolContext): void {
  const { method, params } = (notification ?? {}) as { method?: unknown; params?: Record<string, unknown> };
  if (method !== "notifications/progress") return;
  const { progressToken: _, ...metadata } = params ?? {};
  context.metadata({ ...(typeof metadata.message === "string" ? { title: metadata.message } : {}), metadata });
}
