const MIN_LENGTH = 4_096;

/** The same bytes with room for `needed`: at least twice as long, at most `maxLength`, so that few copies are made. */
export function grown<T extends Uint8Array>(
  bytes: T,
  needed: number,
  maxLength: number,
  allocate: (length: number) => T,
): T {
  if (needed <= bytes.length) return bytes;
  const larger = allocate(Math.min(maxLength, Math.max(needed, bytes.length * 2, MIN_LENGTH)));
  larger.set(bytes);
  return larger;
}
