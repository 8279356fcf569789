import type { CallContext } from "../../core/tool.ts";

/** A text of a result as its parts: none where it is empty, since some models refuse an empty part. */
export function textParts(text: string): { type: "text"; text: string }[] {
  return text === "" ? [] : [{ type: "text", text }];
}

/**
 * A result of a system in which objects have no meaning of their own: one that happens to have an `output` is given to
 * the model as a whole, like any other, and is not taken for OpenCode's form.
 */
export function plainResult(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("output" in value)) return value;
  return typeof value.output === "string" ? { content: textParts(JSON.stringify(value)) } : value;
}

/** A result of which a program is given the output itself, and a model what it is shown of it: where nothing, its JSON. */
export function structuredResult(output: unknown, shown: object = { content: [] }): unknown {
  return { ...shown, structuredContent: output };
}

/** A picture or a file of a result, as the pipeline takes it. */
export interface FilePart {
  readonly type: "file";
  readonly mimeType?: string;
  readonly filename?: string;
  /** Base64, or bytes. */
  readonly data?: unknown;
  readonly url?: string;
}

/** A part of a result that is a file, from whichever of its fields are known. A text that is an address is one. */
export function filePart(file: { mimeType?: unknown; name?: unknown; data?: unknown; url?: unknown }): FilePart {
  const { mimeType, name, data, url } = file;
  const address = isAddress(url) ? url : isAddress(data) ? data : undefined;
  return {
    type: "file",
    ...(typeof mimeType === "string" ? { mimeType } : {}),
    ...(typeof name === "string" ? { filename: name } : {}),
    ...(address === undefined ? { data: data instanceof ArrayBuffer ? new Uint8Array(data) : data } : {}),
    ...(address === undefined ? {} : { url: String(address) }),
  };
}

function isAddress(value: unknown): value is string | URL {
  return value instanceof URL || (typeof value === "string" && /^(?:https?|data|file):/i.test(value));
}

/** What a tool returned; of an async iterable, which shows its progress that way, the last value. */
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
