import { isDeeperThan } from "../../platform/json/json-levels.ts";
import { MAX_DEPTH } from "./checks.ts";

/** A copy of an author's value as JSON. Throws, with a message for the author, if it cannot be written as JSON. */
export function plainJson(value: unknown): unknown {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return undefined;
  const plain: unknown = JSON.parse(json);
  assertShallow(plain, json);
  return plain;
}

/** Throws if a value is nested too deeply. `json` is the value as text. */
export function assertShallow(value: unknown, json: string): void {
  // Each level takes at least two characters.
  if (json.length <= MAX_DEPTH * 2 || !isDeeperThan(value, MAX_DEPTH)) return;
  throw new RangeError(`Data that is nested more than ${MAX_DEPTH} levels deep cannot be sent. Make it flatter.`);
}

/** Throws for values that JSON would silently lose or change: functions, symbols, NaN, maps, dates, instances of classes. */
export function assertJson(value: unknown): void {
  if (typeof value !== "object" || value === null) {
    if (!isJsonScalar(value)) throw new TypeError(`${String(value)} is not plain data.`);
    return;
  }
  if (Array.isArray(value)) {
    for (const member of value) assertJson(member);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of an object of another realm is another `Object.prototype`.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError("An object is not plain data.");
  for (const member of Object.values(value)) if (member !== undefined) assertJson(member);
}

function isJsonScalar(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}
