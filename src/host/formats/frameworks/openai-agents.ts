import { ToolError } from "../../../core/error.ts";
import type { Tool, ToolContext } from "../../../core/tool.ts";
import { buildTool, readAdvisoryOutput, readDeclaredInput } from "../build-tool.ts";
import type { ExportContext } from "../export-context.ts";
import { askIfNeeded } from "./approval.ts";
import { filePart, plainResult, structuredResult } from "./result-parts.ts";

/** The return value of `tool()` of the OpenAI Agents SDK. */
interface AgentsTool {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
  readonly outputSchema?: unknown;
  readonly needsApproval?: unknown;
  readonly isEnabled?: unknown;
  invoke(runContext: unknown, input: string, details: unknown): unknown;
}

/** The default error text of the SDK. Older versions append the error to it. */
const SDK_ERROR = "An error occurred while running the tool. Please try again.";

/** The SDK converts errors of the author's code to a text for the model. */
export async function readAgentsTool(definition: AgentsTool, at: ExportContext): Promise<Tool> {
  const { name, description } = definition;
  const declared = await readAdvisoryOutput(definition.outputSchema);
  return buildTool(
    {
      format: "openai-agents",
      ownName: name,
      description,
      input: await readDeclaredInput(definition, ["parameters"], name),
      output: declared,
      run: async (input, context) => {
        const runContext = runContextOf(context);
        await refuseDisabled(definition, runContext);
        await askIfNeeded(definition.needsApproval, { tool: name, input, context }, [
          runContext,
          input,
          context.callID,
        ]);
        const json = JSON.stringify(input);
        const answer = await definition.invoke(runContext, json, detailsOf(name, json, context));
        return declared && !isSdkError(answer) ? structuredResult(parseOutput(answer)) : fromOutput(answer);
      },
    },
    at,
  );
}

interface RunContext {
  readonly context: ToolContext;
  readonly usage: Readonly<Record<string, number>>;
}

/** The usage is zero: no model runs in Toolwright. */
function runContextOf(context: ToolContext): RunContext {
  return {
    context,
    usage: { requests: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  };
}

function detailsOf(name: string, json: string, { callID, abort }: ToolContext): object {
  return { toolCall: { type: "function_call", callId: callID, name, arguments: json }, signal: abort };
}

async function refuseDisabled({ name, isEnabled }: AgentsTool, runContext: RunContext): Promise<void> {
  const enabled: unknown = typeof isEnabled === "function" ? await isEnabled(runContext, undefined) : isEnabled;
  if (enabled === false) throw new ToolError("denied", `"${name}" is disabled by its isEnabled.`);
}

/** The output is a text, an image or file part, or a list of parts. */
function fromOutput(output: unknown): unknown {
  if (isSdkError(output)) {
    return { content: [{ type: "text", text: output }], isError: true };
  }
  const parts = Array.isArray(output) ? output : [output];
  return parts.length > 0 && parts.every(isPart) ? { content: parts.map(fromPart) } : plainResult(output);
}

function isSdkError(output: unknown): output is string {
  return typeof output === "string" && output.startsWith(SDK_ERROR);
}

/** With an output schema, the SDK returns JSON text. */
function parseOutput(output: unknown): unknown {
  try {
    return typeof output === "string" ? JSON.parse(output) : output;
  } catch {
    return output;
  }
}

interface Part {
  readonly type: "text" | "image" | "file";
  readonly image?: unknown;
  readonly file?: unknown;
}

function isPart(value: unknown): value is Part {
  if (typeof value !== "object" || value === null) return false;
  const { type, text } = value as Record<string, unknown>;
  return type === "text" ? typeof text === "string" : (type === "image" || type === "file") && type in value;
}

function fromPart(part: Part): unknown {
  if (part.type === "text") return part;
  const value = part.type === "image" ? part.image : part.file;
  const fallback = part.type === "image" ? "image/png" : undefined;
  if (typeof value === "string")
    return filePart({ data: value, ...(value.includes(":") ? {} : { mimeType: fallback }) });
  const { data, url, mediaType, filename } = (value ?? {}) as Record<string, unknown>;
  if (data === undefined && url === undefined) return { type: "text", text: JSON.stringify(part) };
  return filePart({ mimeType: mediaType ?? fallback, name: filename, data, url });
}
