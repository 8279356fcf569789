import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../../core/schema.ts";

/** The types of JSON Schema, without "integer". */
export const TYPES: readonly string[] = ["string", "number", "boolean", "object", "array", "null"];

/** The keywords that apply to values of one type only. */
export const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  object: [
    "properties",
    "required",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
  ],
  array: [
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedItems",
  ],
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"],
};

/** Keywords that validate nothing. */
export const ANNOTATIONS: readonly string[] = [
  "description",
  "title",
  "default",
  "examples",
  "example",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
];

/** Whether a value is a schema other than `true` and `false`. An alias of `isObject` with another type. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an array, otherwise an empty array. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The strings in an array. */
export function stringsIn(value: unknown): readonly string[] {
  return asList(value).filter((each) => typeof each === "string");
}

export const isEqual: (one: unknown, other: unknown) => boolean = isDeepStrictEqual;

/** The values without duplicates. */
export function distinct(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value, index) => values.findIndex((other) => isEqual(value, other)) === index);
}

/** The types in `type`. */
export function typeNamesOf({ type }: JsonSchema): readonly string[] {
  return typeof type === "string" ? [type] : stringsIn(type);
}

export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** A schema without some keywords; the same object if it has none of them. */
export function omit(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  if (!keywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** A schema with only some keywords. */
export function pick(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
}

/** Maps the values of an object; returns the same object if no value changes. */
export function mapValues(map: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  const entries = Object.entries(map);
  const changed = entries.map(([key, value]) => [key, change(value, key)] as const);
  return changed.every(([, value], index) => value === entries[index]?.[1]) ? map : Object.fromEntries(changed);
}

/** Maps the items of an array; returns the same array if no item changes. */
export function mapItems(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((value, index) => value === list[index]) ? list : changed;
}
