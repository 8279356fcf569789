import type { CallContext } from "../../../core/tool.ts";

/** No part for an empty text: some models reject an empty part. */
export function textParts(text: string): { type: "text"; text: string }[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/** For systems where a result has no special fields: an object with an `output` is not read as a result of OpenCode. */
export function plainResult(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("output" in value)) return value;
  return typeof value.output === "string" ? { content: textParts(JSON.stringify(value)) } : value;
}

/** A result with the output as structured content. `shown` is the content for the model; by default the JSON of the output. */
export function structuredResult(output: unknown, shown: object = { content: [] }): unknown {
  return { ...shown, structuredContent: output };
}

/** An image or a file in a result. */
export interface FilePart {
  readonly type: "file";
  readonly mimeType?: string;
  readonly filename?: string;
  /** Base64, or bytes. */
  readonly data?: unknown;
  readonly url?: string;
}

/** `data` may be a URL too. */
export function filePart(file: { mimeType?: unknown; name?: unknown; data?: unknown; url?: unknown }): FilePart {
  const { mimeType, name, data, url } = file;
  const href = isUrl(url) ? url : isUrl(data) ? data : undefined;
  return {
    type: "file",
    ...(typeof mimeType === "string" ? { mimeType } : {}),
    ...(typeof name === "string" ? { filename: name } : {}),
    ...(href === undefined ? { data: data instanceof ArrayBuffer ? new Uint8Array(data) : data } : {}),
    ...(href === undefined ? {} : { url: String(href) }),
  };
}

function isUrl(value: unknown): value is string | URL {
  return value instanceof URL || (typeof value === "string" && /^(?:https?|data|file):/i.test(value));
}

/** The last value of an async iterable; the values before it are progress. Any other value is returned unchanged. */
export async function lastYielded(returned: unknown, context: Pick<CallContext, "partial">): Promise<unknown> {
  if (!isAsyncIterable(returned)) return returned;
  let last: unknown;
  for await (const value of returned) {
    last = value;
    context.partial(value);
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
