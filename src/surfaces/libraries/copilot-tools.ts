import type { JsonSchema } from "../../core/schema.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { isModelImage } from "../client-limits/model-image.ts";
import { type AdaptedResult, type AdaptedTool, type AgentView, adaptTools } from "./adapted-tools.ts";
import { fitToCopilot } from "./library-limits.ts";

/** A tool of `@github/copilot-sdk`. */
export interface CopilotTool {
  readonly name: string;
  readonly description: string;
  /** Absent for a tool without arguments: the runtime drops a tool whose parameters are empty. */
  readonly parameters?: Record<string, unknown>;
  /** A tool of this name replaces Copilot's own. Without this, a session with both fails. */
  readonly overridesBuiltInTool: true;
  /** Shown to the model from the first request, not behind a search. */
  readonly defer: "never";
  /** Never rejects: the SDK hides the message of an error from the model. */
  handler(input: unknown, invocation?: CopilotInvocation): Promise<CopilotResult>;
}

/** The data that the SDK passes with a call. */
export interface CopilotInvocation {
  readonly sessionId?: string;
  readonly toolCallId?: string;
  readonly signal?: AbortSignal;
}

/** A result of `@github/copilot-sdk`. */
export interface CopilotResult {
  textResultForLlm: string;
  resultType: "success" | "failure";
  error?: string;
  binaryResultsForLlm?: { data: string; mimeType: string; type: "image" }[];
}

/** The enabled tools for `createSession` and `resumeSession` of `@github/copilot-sdk`. */
export function toCopilotTools(toolbox: Toolbox, view: AgentView = {}): CopilotTool[] {
  return adaptTools(toolbox, view, { fit: fitToCopilot(), carries: isModelImage }).map(toCopilotTool);
}

function toCopilotTool(tool: AdaptedTool): CopilotTool {
  const { name, description, inputSchema } = tool;
  return {
    name,
    description,
    ...(hasArguments(inputSchema) ? { parameters: { ...inputSchema, type: "object" } } : {}),
    overridesBuiltInTool: true,
    defer: "never",
    handler: async (input, { sessionId, toolCallId, signal } = {}) =>
      toCopilotResult(await tool.call(input ?? {}, { sessionID: sessionId, callID: toolCallId, signal }).result),
  };
}

/** Whether a schema of an object says anything about its fields. */
function hasArguments({ properties = {}, ...schema }: JsonSchema): boolean {
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false;
  return isOpen || schema.patternProperties !== undefined || Object.keys(properties as object).length > 0;
}

function toCopilotResult({ ok, text, content }: AdaptedResult): CopilotResult {
  const images = content.filter(isModelImage).map(({ data, mimeType }) => ({ data, mimeType, type: "image" as const }));
  return {
    textResultForLlm: text,
    resultType: ok ? "success" : "failure",
    ...(ok ? {} : { error: text }),
    ...(images.length === 0 ? {} : { binaryResultsForLlm: images }),
  };
}
