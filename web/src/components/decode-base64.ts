/** Images that browsers draw without running scripts. SVG is not among them. */
const DRAWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** The URL of an image that the page may show. Undefined for other types, and for data that is not base64. */
export function imageUrl(data: string, mimeType: string): string | undefined {
  const type = mimeType.split(";")[0]?.trim().toLowerCase() ?? "";
  return DRAWN.has(type) && isBase64(data) ? `data:${type};base64,${data.replace(/\s+/g, "")}` : undefined;
}

/** The bytes of base64 or base64url. Undefined if the data is neither. */
export function decodeBase64(data: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(data.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function isBase64(data: string): boolean {
  return data.length > 0 && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data);
}

/** A file name that is safe to suggest to the browser: no folders, no hidden or reordering characters. */
export function downloadName(name: string | undefined, fallback: string): string {
  const base = (name ?? "").split(/[/\\]/).at(-1) ?? "";
  const safe = base
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}:*?"<>|]/gu, "")
    .replace(/^\.+/, "")
    .slice(0, 120);
  return safe.trim() || fallback;
}

/** The size of base64 data in bytes. */
export function base64Size(data: string): number {
  return Math.floor((data.replace(/[\s=]+/g, "").length * 3) / 4);
}
