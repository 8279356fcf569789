import type { ToolReturn } from "../../../core/tool.ts";
import { imageType, utf8Of } from "./image-type.ts";
import { type OmittedArgument, omittedData, omittedNote } from "./omitted-arguments.ts";

const MAX_BYTES = 5 * 1024 * 1024;
/** How many characters of an error response are shown. */
const MAX_ERROR_TEXT = 4_000;

/** Converts a response to the result of a call. `label` is the method and URL, without the query. */
export async function readResponse(
  response: Response,
  label: string,
  omitted: readonly OmittedArgument[],
): Promise<ToolReturn> {
  const { bytes, cut } = await readBody(response);
  const type = response.headers.get("content-type") ?? "";
  const details = { status: response.status, ...(type ? { contentType: type } : {}), ...omittedData(omitted) };
  const note = omitted.length === 0 ? "" : ` ${omittedNote(omitted)}`;
  const status = `${response.status} ${response.statusText}`.trim();
  const text = textOf(bytes, type, cut);
  if (response.status >= 400) {
    const shown = (text ?? notShown(bytes, type, cut)).slice(0, MAX_ERROR_TEXT);
    const message = `${label} answered ${status}.${note}${shown === "" ? "" : `\n${shown.toWellFormed()}`}`;
    return { content: [{ type: "text", text: message }], details, isError: true };
  }
  const image = cut ? undefined : imageType(bytes);
  if (image) return { content: [{ type: "image", data: bytes.toString("base64"), mimeType: image }], details };
  if (bytes.length === 0)
    return { output: `${label} answered ${status}, with an empty body.${note}`, metadata: details };
  const notice =
    text !== undefined && cut ? `\n[truncated: only the first ${bytes.length} bytes of the response were read]` : "";
  return { output: `${text ?? notShown(bytes, type, cut)}${notice}`, metadata: details };
}

/** Stops at the limit: a response may be endless. */
async function readBody(response: Response): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  if (!response.body) return { bytes: Buffer.alloc(0), cut: false };
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: Buffer.concat(chunks), cut: false };
    chunks.push(value);
    total += value.length;
    if (total <= MAX_BYTES) continue;
    await reader.cancel();
    return { bytes: Buffer.concat(chunks).subarray(0, MAX_BYTES), cut: true };
  }
}

/** Undefined if the bytes are not text, whatever the content type says. */
function textOf(bytes: Buffer, type: string, cut: boolean): string | undefined {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1]?.toLowerCase();
  if (charset === undefined || charset === "utf-8" || charset === "utf8") return utf8Of(bytes, { cut });
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return utf8Of(bytes, { cut });
  }
}

function notShown(bytes: Buffer, type: string, cut: boolean): string {
  const size = cut ? `more than ${MAX_BYTES}` : String(bytes.length);
  return `[${type || "unknown type"}, ${size} bytes: not shown because it is not text]`;
}
