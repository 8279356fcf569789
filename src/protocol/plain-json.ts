import { isDeeperThan } from "../core/json-levels.ts";
import { MAX_DEPTH } from "./checks.ts";

/** What an author's value becomes when it is sent. Throws, in words for the author, where it has no form in JSON. */
export function plainJson(value: unknown): unknown {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return undefined;
  const plain: unknown = JSON.parse(json);
  assertShallow(plain, json);
  return plain;
}

/** Throws for what is nested too deeply to be sent. `json` is the same as text. */
export function assertShallow(value: unknown, json: string): void {
  // Each level takes two characters at least.
  if (json.length <= MAX_DEPTH * 2 || !isDeeperThan(value, MAX_DEPTH)) return;
  throw new RangeError(`Data that is nested more than ${MAX_DEPTH} levels deep cannot be sent. Make it flatter.`);
}

/**
 * Throws for what JSON would lose or change without a word: functions, symbols, NaN, maps, dates and whatever else is no
 * plain object. Members that are undefined are left out, as everywhere.
 */
export function assertJson(value: unknown): void {
  if (typeof value !== "object" || value === null) {
    if (!isJsonScalar(value)) throw new TypeError(`${String(value)} is not plain data.`);
    return;
  }
  if (Array.isArray(value)) {
    // What a list has left out is undefined here.
    for (const member of value) assertJson(member);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has another Object's prototype, whose own is null as well.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError("An object is not plain data.");
  for (const member of Object.values(value)) if (member !== undefined) assertJson(member);
}

function isJsonScalar(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}
