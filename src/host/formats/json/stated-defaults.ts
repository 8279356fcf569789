import type { JsonSchema } from "../../../core/schema.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";

/**
 * `(default: TODO)`, `(defaults to "src")`, with or without quotes. An unquoted value is one word. Spaces are bounded: otherwise the
 * time grows with the square of their number.
 */
const STATED =
  /\(\s{0,9}default(?:s\s{1,9}to|\s{1,9}is)?\s{0,9}:?\s{1,9}(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^\s"'`(),;]+))\s{0,9}\)/i;

/** Words that describe a default instead of being one. */
const DESCRIPTIONS = new Set(
  "none nothing null undefined unset empty all any every auto automatic current cwd unlimited infinite no yes".split(
    " ",
  ),
);

/**
 * The defaults that the descriptions of optional properties state in words, such as "Search pattern (default: TODO)". A
 * property with a `default`, or of a type that the value does not have, is left out.
 */
export function statedDefaults({ properties, required }: JsonSchema): Map<string, unknown> {
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const stated = Object.entries(isPlainObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (isRequired(name) || !isPlainObject(property) || property.default !== undefined) return [];
    const value = statedIn(property);
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Map(stated);
}

function statedIn({ description, type, enum: allowed }: Readonly<Record<PropertyKey, unknown>>): unknown {
  const found = typeof description === "string" ? STATED.exec(description) : null;
  if (!found) return undefined;
  const [, double, single, tick, word] = found;
  const quoted = double ?? single ?? tick;
  const value = asType(quoted ?? word ?? "", type);
  if (Array.isArray(allowed)) return allowed.includes(value) ? value : undefined;
  const isDescription = quoted === undefined && DESCRIPTIONS.has((word ?? "").toLowerCase());
  return isDescription ? undefined : value;
}

function asType(text: string, type: unknown): unknown {
  if (type === "string") return text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  const isNumber = type === "number" || (type === "integer" && /^-?\d+$/.test(text));
  return isNumber && text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}
