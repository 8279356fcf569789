/** A UUID that sorts by the time it was made (version 7). */
export function uuidv7(timestampMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const time = timestampMs.toString(16).padStart(12, "0");
  const variant = (8 + ((bytes[8] ?? 0) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
