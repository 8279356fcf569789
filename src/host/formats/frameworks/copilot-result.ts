import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { textParts } from "./result-parts.ts";

interface CopilotResult {
  readonly textResultForLlm: string;
  readonly resultType: unknown;
  readonly error?: unknown;
  readonly sessionLog?: unknown;
  readonly toolTelemetry?: unknown;
  readonly binaryResultsForLlm?: readonly unknown[];
}

/** Converts a result of the Copilot SDK. Any other value is returned unchanged. */
export function fromCopilot(result: unknown): unknown {
  if (!isCopilotResult(result)) return result;
  const { textResultForLlm, resultType, error, binaryResultsForLlm = [] } = result;
  const isError = resultType !== "success";
  const text = textResultForLlm || (isError && typeof error === "string" ? error : "");
  const content = [...textParts(text), ...binaryResultsForLlm.map(fromBinary)];
  return { content, ...detailsOf(result), isError };
}

/** The fields of a result that are not for the model. */
const DETAILS = ["error", "sessionLog", "toolTelemetry"] as const;

/** The details that can be written as JSON: a call must not fail because of its telemetry. */
function detailsOf(result: CopilotResult): { readonly details?: Readonly<Record<string, unknown>> } {
  const known = DETAILS.map((key) => [key, tryOrUndefined(() => toPlain(result[key]))] as const);
  const details = Object.fromEntries(known.filter(([, value]) => value !== undefined && value !== ""));
  return Object.keys(details).length === 0 ? {} : { details };
}

function toPlain(value: unknown): unknown {
  if (value instanceof Error) return value.message;
  const json = JSON.stringify(value) as string | undefined;
  return json === undefined || json === "null" ? undefined : JSON.parse(json);
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
