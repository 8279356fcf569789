import type { ToolReturn } from "../../core/tool.ts";
import { imageType, utf8Of } from "./image-type.ts";

const MAX_BYTES = 5 * 1024 * 1024;
/** How much of the answer is shown with a status that says failure. */
const SHOWN_OF_FAILURE = 4_000;

/** What a server answered, as the result of a call. `asked` is the request in words, without its query. */
export async function readResponse(response: Response, asked: string): Promise<ToolReturn> {
  const { bytes, cut } = await readBody(response);
  const type = response.headers.get("content-type") ?? "";
  const details = { status: response.status, ...(type ? { contentType: type } : {}) };
  const status = `${response.status} ${response.statusText}`.trim();
  const text = textOf(bytes, type, cut);
  if (response.status >= 400) {
    const shown = (text ?? notShown(bytes, type, cut)).slice(0, SHOWN_OF_FAILURE);
    const said = `${asked} answered ${status}.${shown === "" ? "" : `\n${shown.toWellFormed()}`}`;
    return { content: [{ type: "text", text: said }], details, isError: true };
  }
  const image = cut ? undefined : imageType(bytes);
  if (image) return { content: [{ type: "image", data: bytes.toString("base64"), mimeType: image }], details };
  if (bytes.length === 0) return { output: `${asked} answered ${status}, with nothing in it.`, metadata: details };
  const notice =
    text !== undefined && cut ? `\n[cut: only the first ${bytes.length} bytes of the answer were read]` : "";
  return { output: `${text ?? notShown(bytes, type, cut)}${notice}`, metadata: details };
}

/** Reads no more than is kept: an answer may have no end. */
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

/** Undefined for what is not text, whatever the server calls it. */
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
  return `[${type || "data of an unknown type"}, ${size} bytes: not shown, since it is not text]`;
}
