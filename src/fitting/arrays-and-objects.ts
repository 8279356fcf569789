import type { JsonSchema } from "../core/schema.ts";
import { anything } from "./anything.ts";
import { type Fitting, inside, type Place } from "./fitting.ts";
import { distinct, isSchema, listed, textsIn, typesOf, without } from "./schema-parts.ts";
import { inWords, withWords } from "./words.ts";

/** One schema for all items, where each item cannot have its own. */
export function joinTuple(schema: JsonSchema, place: Place, fitting: Fitting): JsonSchema {
  const { rules, notes } = fitting;
  if (rules.tuples === undefined || !Array.isArray(schema.prefixItems)) return schema;
  notes.add("a list with a schema for each item has one for all", place.path);
  const { prefixItems, items: rest, ...others } = schema;
  const parts = distinct([...listed(prefixItems), ...(rest === false ? [] : [rest ?? true])]);
  const isOpen = parts.some((each) => each === true || !isSchema(each) || Object.keys(each).length === 0);
  const items = isOpen
    ? anything(rules)
    : parts.length === 1
      ? parts[0]
      : fitting.fit({ anyOf: parts }, inside(place, "[]"));
  const bounded = rest === false ? atMost(others, listed(prefixItems).length) : others;
  return withWords({ ...bounded, items }, [inWords("prefixItems", prefixItems)]);
}

/** Every list says what is in it. */
export function sayItems(schema: JsonSchema, place: Place, fitting: Fitting): JsonSchema {
  if (fitting.rules.arrays === undefined || !typesOf(schema).includes("array") || isSchema(schema.items)) return schema;
  fitting.notes.add("a list says what its items are", place.path);
  const { items, ...rest } = schema;
  const bounded = items === false ? atMost(rest, listed(rest.prefixItems).length) : rest;
  return { ...bounded, items: fitting.fit({}, inside(place, "[]")) };
}

function atMost(schema: JsonSchema, count: number): JsonSchema {
  const { maxItems } = schema;
  return { ...schema, maxItems: typeof maxItems === "number" ? Math.min(maxItems, count) : count };
}

/** Every object has a list of fields, and requires none but these. */
export function sayProperties(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  if (rules.objects === undefined || !typesOf(schema).includes("object")) return schema;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const unknown = textsIn(schema.required).filter((name) => !Object.hasOwn(properties, name));
  const complete = isSchema(schema.properties) ? schema : { ...schema, properties };
  if (complete !== schema) notes.add("an object has a list of fields, be it empty", place.path);
  if (unknown.length === 0) return complete;
  notes.add("required fields that it does not describe are named in words", place.path);
  const required = textsIn(schema.required).filter((name) => !unknown.includes(name));
  const rest = required.length > 0 ? { ...complete, required } : without(complete, ["required"]);
  return withWords(rest, [`Also required: ${unknown.join(", ")}.`]);
}
