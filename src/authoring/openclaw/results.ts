import { readFile } from "node:fs/promises";

/** A result of a tool of OpenClaw. */
export interface AgentToolResult<Details = unknown> {
  readonly content: readonly object[];
  readonly details: Details;
}

function text(text: string): object {
  return { type: "text", text };
}

export function textResult<Details>(content: string, details: Details): AgentToolResult<Details> {
  return { content: [text(content)], details };
}

/** The value as JSON. */
export function jsonResult<Details>(details: Details): AgentToolResult<Details> {
  return textResult(JSON.stringify(details, null, 2) ?? "", details);
}

/** A text as it is, any other value as JSON. */
export function payloadTextResult<Details>(details: Details): AgentToolResult<Details> {
  return typeof details === "string" ? textResult(details, details) : jsonResult(details);
}

/** OpenClaw shows the status in `details` as a failure. */
export function failedTextResult<Details>(content: string, details: Details): AgentToolResult<Details> {
  return textResult(content, details);
}

/** Marks a value as a result that is not wrapped again. */
export function toolResult<Result>(result: Result): Result {
  return result;
}

interface Image {
  readonly path: string;
  readonly extraText?: string;
  readonly details?: object;
}

export async function imageResult(
  image: Image & { readonly base64: string; readonly mimeType: string },
): Promise<AgentToolResult> {
  const { path, base64: data, mimeType, extraText = `MEDIA:${path}`, details } = image;
  return { content: [text(extraText), { type: "image", data, mimeType }], details: { path, ...details } };
}

export async function imageResultFromFile(image: Image): Promise<AgentToolResult> {
  const base64 = (await readFile(image.path)).toString("base64");
  return imageResult({ ...image, base64, mimeType: mimeTypeOf(base64) });
}

/** By the first bytes of the file. */
function mimeTypeOf(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lGOD")) return "image/gif";
  return base64.startsWith("UklGR") ? "image/webp" : "image/png";
}
