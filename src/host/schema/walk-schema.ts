import { isPlainObject } from "../../platform/values/is-object.ts";

/** A schema document under construction. */
export type MutableSchema = Record<string, unknown>;

const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const SINGLES = [
  "items",
  "additionalProperties",
  "additionalItems",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
];

/**
 * Visits a schema and every schema in it, parents first, with the pointer of each. Values that only look like schemas
 * (`default`, `enum`, `const`, `examples`) are not visited. A visitor may change its node.
 */
export function walkSchema(node: unknown, visit: (node: MutableSchema, pointer: string) => void, pointer = "#"): void {
  if (!isPlainObject(node)) return;
  const schema = node as MutableSchema;
  visit(schema, pointer);
  for (const key of MAPS) {
    const map = schema[key];
    if (isPlainObject(map)) for (const name of Object.keys(map)) walkSchema(map[name], visit, join(pointer, key, name));
  }
  for (const key of LISTS) {
    const list = schema[key];
    if (Array.isArray(list))
      for (const [index, part] of list.entries()) walkSchema(part, visit, join(pointer, key, index));
  }
  for (const key of SINGLES) walkSchema(schema[key], visit, join(pointer, key));
}

function join(pointer: string, ...steps: readonly (string | number)[]): string {
  return [pointer, ...steps.map((step) => escapeStep(String(step)))].join("/");
}

/** One step of a JSON Pointer. */
export function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}
