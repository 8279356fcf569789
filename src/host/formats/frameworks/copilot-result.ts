import { textParts } from "./result-parts.ts";

interface CopilotResult {
  readonly textResultForLlm: string;
  readonly resultType: unknown;
  readonly error?: unknown;
  readonly binaryResultsForLlm?: readonly unknown[];
}

/** Converts a result of the Copilot SDK. Any other value is returned unchanged. */
export function fromCopilot(result: unknown): unknown {
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

/** A "resource" of Copilot contains the data itself; a "resource" of MCP contains an object. */
function fromBinary(part: unknown): unknown {
  const { type, data, mimeType, description } = (part ?? {}) as Record<string, unknown>;
  return type === "resource" ? { type: "file", data, mimeType, name: description } : part;
}
