import type { JsonSchema } from "../../core/schema.ts";
import { isPlainObject } from "../../platform/values/is-object.ts";
import { isJsonType } from "./dialect.ts";
import { toPlainJson } from "./json-copy.ts";
import type { MutableSchema } from "./walk-schema.ts";
import { walkSchema } from "./walk-schema.ts";

/** A TypeBox schema as JSON Schema 2020-12. */
interface TypeboxJson {
  readonly json: JsonSchema;
  /** Whether it has types that JSON Schema lacks (dates, bigints): these became `{}`. */
  readonly exotic: boolean;
}

/**
 * TypeBox schemas differ from JSON Schema 2020-12 in four ways: types that JSON lacks, draft-07 tuples, required fields with
 * a default, and references by `$id`, which few clients support.
 */
export function typeboxJson(schema: unknown): TypeboxJson {
  const json = toPlainJson(schema);
  const pointers = new Map<string, string>();
  let exotic = false;
  walkSchema(json, (node, pointer) => {
    exotic = dropUnknownType(node) || exotic;
    modernizeTuple(node);
    relaxDefaults(node);
    if (typeof node.$id !== "string") return;
    pointers.set(node.$id, pointer);
    delete node.$id;
  });
  walkSchema(json, (node) => {
    const pointer = typeof node.$ref === "string" ? pointers.get(node.$ref) : undefined;
    if (pointer !== undefined) node.$ref = pointer;
  });
  return { json, exotic };
}

function dropUnknownType(node: MutableSchema): boolean {
  if (node.type === undefined || [node.type].flat().every(isJsonType)) return false;
  for (const key of Object.keys(node)) if (key !== "description" && key !== "title") delete node[key];
  return true;
}

function modernizeTuple(node: MutableSchema): void {
  if (!Array.isArray(node.items)) return;
  node.prefixItems = node.items;
  node.items = node.additionalItems ?? true;
  delete node.additionalItems;
}

function relaxDefaults(node: MutableSchema): void {
  const { properties, required } = node;
  if (!isPlainObject(properties) || !Array.isArray(required)) return;
  const left = required.filter((name: string) => !hasDefault(properties[name]));
  if (left.length > 0) node.required = left;
  else delete node.required;
}

function hasDefault(property: unknown): boolean {
  return isPlainObject(property) && "default" in property;
}
