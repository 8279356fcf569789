import type { Content, ShapedResult } from "../../core/result.ts";
import type { HostResult, OutputOptions } from "../protocol/messages.ts";
import { assertShallow } from "../protocol/plain-json.ts";
import { toContent } from "./content.ts";
import type { FullOutputStore } from "./output-cutter.ts";
import { fullOutputStore, type OutputOwner } from "./outputs.ts";
import { shape } from "./shape-result.ts";
import { truncate, truncateContent } from "./truncate.ts";

/** The maximum length of a title, in characters. */
export const MAX_TITLE = 1_000;
/** The maximum number of bytes of an attachment: 20 MB as base64. A larger attachment is stored on disk. */
const MAX_ATTACHMENT = 15 * 1024 * 1024;

/** Cuts the fields of a result that a hook has changed. Unchanged fields have already been cut. */
export function boundedPatch(
  patch: Partial<ShapedResult>,
  output: OutputOptions,
  call: OutputOwner,
): { changes: Partial<ShapedResult>; truncated?: NonNullable<HostResult["truncated"]> } {
  const { content, data, title } = patch;
  const shaped = data === undefined ? undefined : shape({ content: [], details: data }).data;
  const cut = content && cutResult({ content: content.map(toContent) }, output, call);
  const changes = {
    ...patch,
    ...(cut ? { content: cut.content } : {}),
    ...(shaped === undefined ? {} : { data: boundedData(shaped, output, call) }),
    ...(title === undefined ? {} : { title: title.slice(0, MAX_TITLE) }),
  };
  return { changes, ...(cut?.truncated ? { truncated: cut.truncated } : {}) };
}

/** Cuts the content of a result: all text parts share one limit, attachments larger than `MAX_ATTACHMENT` move to disk. */
export function cutResult(
  { content }: { readonly content: readonly Content[] },
  { folder, ...limits }: OutputOptions,
  call: OutputOwner,
): Pick<HostResult, "content" | "truncated"> {
  const store = fullOutputStore(folder, call);
  return truncateContent(
    content.map((part) => onDiskIfHuge(part, store)),
    limits,
    store,
  );
}

function onDiskIfHuge(part: Content, store: FullOutputStore): Content {
  if (part.type === "text" || Buffer.byteLength(part.data ?? "", "base64") <= MAX_ATTACHMENT) return part;
  const file = store.open();
  file?.write(Buffer.from(part.data ?? "", "base64"));
  const path = file?.close();
  if (path) return { type: "file", mimeType: part.mimeType, url: path };
  return {
    type: "text",
    text: `[${part.mimeType} left out: it is larger than ${MAX_ATTACHMENT} bytes and could not be stored]`,
  };
}

/** Replaces structured data that is larger than `maxBytes` by the path of the full data. */
export function boundedData(data: unknown, output: OutputOptions, call: OutputOwner): unknown {
  const json = JSON.stringify(data);
  assertShallow(data, json);
  if (json.length <= output.maxBytes) return data;
  const { truncated } = truncate(json, { ...output, maxLines: 1 }, fullOutputStore(output.folder, call));
  return truncated ? { truncated } : data;
}
