import { tryOrUndefined } from "../platform/values/try-or-undefined.ts";

/** How deep a value is copied, and how many of its objects: about as much as a log shows. */
const MAX_DEPTH = 20;
const MAX_OBJECTS = 10_000;
/** The members of one object or list. */
const MAX_MEMBERS = 10_000;

/**
 * Copies plain data, so that later changes to the original do not change the copy. Values that are not plain data, or beyond
 * the limits, are shared with the original. Never throws.
 */
export function copyPlainData(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return tryOrUndefined(() => copyOf(value, 0, { objects: MAX_OBJECTS })) ?? value;
}

function copyOf(value: unknown, depth: number, left: { objects: number }): unknown {
  if (typeof value !== "object" || value === null) return value;
  left.objects -= 1;
  if (left.objects < 0 || depth > MAX_DEPTH) return value;
  if (Array.isArray(value))
    return value.length > MAX_MEMBERS ? value : value.map((member) => copyOf(member, depth + 1, left));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  const keys = Object.keys(value);
  if (keys.length > MAX_MEMBERS) return value;
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const member = copyOf((value as Record<string, unknown>)[key], depth + 1, left);
    // An assignment would set the prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: member, enumerable: true });
    else copy[key] = member;
  }
  return copy;
}
