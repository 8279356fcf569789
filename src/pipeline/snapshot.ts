/** How deep a value is copied, and how many objects of it: about what a log shows of one. */
const MAX_DEPTH = 20;
const MAX_OBJECTS = 10_000;

/**
 * A copy of plain data as it is now, which whoever has the original cannot change any more. What is no plain data, lies
 * too deep or is too much stays what it is. Never throws.
 */
export function snapshot(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    return copyOf(value, 0, { objects: MAX_OBJECTS });
  } catch {
    return value;
  }
}

function copyOf(value: unknown, depth: number, left: { objects: number }): unknown {
  if (typeof value !== "object" || value === null) return value;
  left.objects -= 1;
  if (left.objects < 0 || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((member) => copyOf(member, depth + 1, left));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = copyOf((value as Record<string, unknown>)[key], depth + 1, left);
    // Said plainly, this one would become the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: member, enumerable: true });
    else copy[key] = member;
  }
  return copy;
}
