import { faultOf } from "./check-json.ts";
import { tooLarge } from "./guards/body.ts";
import type { HttpLimits } from "./limits.ts";
import type { Refusal } from "./refusal.ts";

/** What the body of a request holds. */
export type ReadJson =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Reads a body, never more of it than allowed. No body at all is undefined. Never rejects. */
export async function readJson(
  { body }: Pick<Request, "body">,
  { bodyBytes, depth }: Pick<HttpLimits, "bodyBytes" | "depth">,
): Promise<ReadJson> {
  if (!body) return { kind: "json", value: undefined };
  const bytes = await readBytes(body, bodyBytes).catch(() => "broken" as const);
  if (bytes === "broken") return refused("The request ended before its body did. Send it again.");
  if (bytes === "too large") return { kind: "refused", refusal: tooLarge(bodyBytes) };
  if (bytes.length === 0) return { kind: "json", value: undefined };
  const text = decode(bytes);
  if (text === undefined) return refused("The body is not valid UTF-8. Send it as JSON in UTF-8.");
  const value = parse(text);
  if (value === undefined) return refused("The body is not valid JSON. Send one JSON object.");
  const fault = faultOf(value, depth);
  return fault === undefined ? { kind: "json", value } : refused(fault);
}

async function readBytes(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array | "too large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      return "too large";
    }
    chunks.push(value);
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(message: string): ReadJson {
  return { kind: "refused", refusal: { code: "bad_request", message } };
}
