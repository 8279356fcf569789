import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** The contents of a resource: text if type and bytes are text, otherwise base64. */
export function toResourceContent(
  bytes: Uint8Array,
  mimeType: string | undefined,
): { text: string } | { blob: string } {
  const text = isText(mimeType)
    ? tryOrUndefined(() => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes))
    : undefined;
  return text === undefined ? { blob: Buffer.from(bytes).toString("base64") } : { text };
}

function isText(mimeType = ""): boolean {
  return /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml|javascript|toml)\b/.test(mimeType);
}
