import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../core/schema.ts";

/** The types of JSON, with whole numbers among the numbers. */
export const TYPES: readonly string[] = ["string", "number", "boolean", "object", "array", "null"];

/** The keywords that say something about values of one type only. */
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

/** Keywords that only tell a reader something. */
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

/** Whether a value is a schema other than `true` and `false`. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entries of a list, none where it is no list. */
export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts in a list. */
export function textsIn(value: unknown): readonly string[] {
  return listed(value).filter((each) => typeof each === "string");
}

export function same(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other);
}

/** Each of the values once. */
export function distinct(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value, index) => values.findIndex((other) => same(value, other)) === index);
}

/** The types that a schema names; none where it names none. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  return typeof type === "string" ? [type] : textsIn(type);
}

/** The type of a value, as a schema says it. */
export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** A schema without some of its keywords; the same object where it has none of them. */
export function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  if (!keywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** What of a schema is about some keywords. */
export function only(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
}

/** A map with its values changed; the same object where none does. */
export function mapped(map: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  const entries = Object.entries(map);
  const changed = entries.map(([key, value]) => [key, change(value, key)] as const);
  return changed.every(([, value], index) => value === entries[index]?.[1]) ? map : Object.fromEntries(changed);
}

/** The same for a list. */
export function mappedList(list: readonly unknown[], change: (value: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((value, index) => value === list[index]) ? list : changed;
}
