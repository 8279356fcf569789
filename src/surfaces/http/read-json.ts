import type { IncomingMessage } from "node:http";
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
  incoming: IncomingMessage,
  { bodyBytes, depth }: Pick<HttpLimits, "bodyBytes" | "depth">,
): Promise<ReadJson> {
  const bytes = await readBytes(incoming, bodyBytes);
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

/** What is left of a body that is too large is thrown away as it comes; the limit of a request's time ends that. */
function readBytes(incoming: IncomingMessage, most: number): Promise<Buffer | "too large" | "broken"> {
  const { promise, resolve } = Promise.withResolvers<Buffer | "too large" | "broken">();
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
    else resolve("too large");
  });
  incoming.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  incoming.on("error", () => resolve("broken"));
  incoming.on("close", () => resolve("broken"));
  return promise;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
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
