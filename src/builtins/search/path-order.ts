/** Compares relative paths with `/` separators like ripgrep's `--sort path`: folder by folder, names by code points. */
export function comparePaths(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return rank(a) - rank(b);
  }
  return one.length - other.length;
}

const SLASH = 47;
const BEYOND = 0x10000;

/** The end of a name comes first, and surrogate pairs come last. */
function rank(unit: number): number {
  if (unit === SLASH) return -1;
  return unit >= 0xd800 && unit <= 0xdfff ? unit + BEYOND : unit;
}
