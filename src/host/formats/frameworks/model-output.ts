import { ToolError } from "../../../core/error.ts";
import { filePart, textParts } from "./result-parts.ts";

interface ModelOutput {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly reason?: unknown;
}

/** Converts the return value of `toModelOutput` of the AI SDK. */
export function fromModelOutput(output: unknown): unknown {
  const { type, value, reason } = (output ?? {}) as ModelOutput;
  switch (type) {
    case "text":
      return textResult(value, false);
    case "json":
      return textResult(JSON.stringify(value), false);
    case "error-text":
      return textResult(value, true);
    case "error-json":
      return textResult(JSON.stringify(value), true);
    case "execution-denied":
      throw new ToolError("denied", typeof reason === "string" ? reason : "The tool refused the call.");
    case "content":
      return { content: Array.isArray(value) ? value.map(fromPart) : [] };
    default:
      return output;
  }
}

function textResult(text: unknown, isError: boolean): unknown {
  return { content: textParts(String(text)), isError };
}

interface Part {
  readonly type?: unknown;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly mediaType?: unknown;
  readonly mimeType?: unknown;
  readonly filename?: unknown;
}

/** Converts a content part of any version of the AI SDK. */
function fromPart(part: Part): unknown {
  const { type, data, url, filename } = part;
  const mimeType = part.mediaType ?? part.mimeType;
  if (type === "text" || typeof type !== "string") return part;
  if (typeof data !== "object" || data === null || !("type" in data)) {
    const known = mimeType ?? (type.startsWith("image") ? "image/*" : undefined);
    return data === undefined && url === undefined ? part : filePart({ mimeType: known, name: filename, data, url });
  }
  const tagged = data as { type: unknown; data?: unknown; url?: unknown; text?: unknown };
  if (tagged.type === "text") return { type: "text", text: tagged.text };
  return filePart({ mimeType, name: filename, data: tagged.data, url: tagged.url });
}
