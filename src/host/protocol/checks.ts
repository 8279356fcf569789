import { levelsOf } from "../../platform/json/json-levels.ts";
import { isObject } from "../../platform/values/is-object.ts";
/** Whether a value read from JSON is valid. */
export type Check = (value: unknown) => boolean;

/** A check for each field of an object. A field without a check does not compile. */
export type Fields<T> = { readonly [K in keyof T]-?: Check };

/** The maximum nesting of a message: more than any tool needs, and too little to exhaust the stack. */
export const MAX_DEPTH = 500;

export const isText: Check = (value) => typeof value === "string";
export const isFlag: Check = (value) => typeof value === "boolean";
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isId: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0;
export const isLimit: Check = (value) => Number.isFinite(value) && (value as number) > 0;

/** Any JSON value. A number that is too large for a double is read as Infinity, which is not JSON. */
export const isJson: Check = (value) => isJsonWithin(value, MAX_DEPTH);

/** Runs for every object and list of a result, so scalars are checked without a call. */
function isJsonWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return isPlain(value);
  if (levels === 0) return false;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    const isFine = typeof member === "object" && member !== null ? isJsonWithin(member, levels - 1) : isPlain(member);
    if (!isFine) return false;
  }
  return true;
}

function isPlain(value: unknown): boolean {
  return typeof value !== "number" || Number.isFinite(value);
}

/** A lower bound of the length of a value as JSON: its characters, plus one for each other value. */
export function sizeOf(value: unknown): number {
  let size = typeof value === "string" ? value.length : 1;
  for (const level of levelsOf(value)) {
    for (const each of level) {
      for (const [key, member] of Object.entries(each)) {
        size += key.length + (typeof member === "string" ? member.length : 1);
      }
    }
  }
  return size;
}

export const isJsonObject: Check = (value) => isObject(value) && isJson(value);

export function oneOf<T extends string>(values: Readonly<Record<T, true>>): Check {
  return (value) => typeof value === "string" && Object.hasOwn(values, value);
}

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object with these fields and no others. */
export function object<T>(fields: Fields<T>): Check {
  const checks = Object.entries<Check>(fields);
  return (value) => {
    if (!isObject(value)) return false;
    for (const [name, check] of checks) if (!check(value[name])) return false;
    // A tool file may have added to `Object.prototype`: inherited keys do not count.
    for (const key in value) if (!Object.hasOwn(fields, key) && Object.hasOwn(value, key)) return false;
    return true;
  };
}

/** An object of one of several kinds, which the field `tag` names. */
export function union<Tag extends string, T extends Readonly<Record<Tag, string>>>(
  tag: Tag,
  kinds: { readonly [K in T[Tag]]: Fields<Extract<T, Readonly<Record<Tag, K>>>> },
): Check {
  const checks = new Map<unknown, Check>();
  for (const [kind, fields] of Object.entries<Fields<object>>(kinds)) checks.set(kind, object(fields));
  return (value) => isObject(value) && checks.get(value[tag])?.(value) === true;
}
