import type { JsonSchema } from "../../core/schema.ts";
import { anyValue } from "./any-value.ts";
import { describeKeyword, withDescription } from "./descriptions.ts";
import { childLocation, type FitContext, type SchemaLocation } from "./fit-context.ts";
import { asList, distinct, isSchema, omit, stringsIn, typeNamesOf } from "./schema-values.ts";

/** Replaces a tuple by one schema for all items. */
export function joinTuple(schema: JsonSchema, location: SchemaLocation, context: FitContext): JsonSchema {
  const { rules, changes } = context;
  if (rules.tuples === undefined || !Array.isArray(schema.prefixItems)) return schema;
  changes.add("an array with a schema for each item gets one schema for all items", location.path);
  const { prefixItems, items: rest, ...others } = schema;
  const parts = distinct([...asList(prefixItems), ...(rest === false ? [] : [rest ?? true])]);
  const isOpen = parts.some((each) => each === true || !isSchema(each) || Object.keys(each).length === 0);
  const items = isOpen
    ? anyValue(rules)
    : parts.length === 1
      ? parts[0]
      : context.fit({ anyOf: parts }, childLocation(location, "[]"));
  const bounded = rest === false ? withMaxItems(others, asList(prefixItems).length) : others;
  return withDescription({ ...bounded, items }, [describeKeyword("prefixItems", prefixItems)]);
}

/** Adds `items` to an array without it. */
export function addItems(schema: JsonSchema, location: SchemaLocation, context: FitContext): JsonSchema {
  if (context.rules.arrays === undefined || !typeNamesOf(schema).includes("array") || isSchema(schema.items))
    return schema;
  context.changes.add('an array gets "items"', location.path);
  const { items, ...rest } = schema;
  const bounded = items === false ? withMaxItems(rest, asList(rest.prefixItems).length) : rest;
  return { ...bounded, items: context.fit({}, childLocation(location, "[]")) };
}

function withMaxItems(schema: JsonSchema, count: number): JsonSchema {
  const { maxItems } = schema;
  return { ...schema, maxItems: typeof maxItems === "number" ? Math.min(maxItems, count) : count };
}

/** Adds `properties` to an object without it, and removes other names from `required`. */
export function addProperties(
  schema: JsonSchema,
  location: SchemaLocation,
  { rules, changes }: FitContext,
): JsonSchema {
  if (rules.objects === undefined || !typeNamesOf(schema).includes("object")) return schema;
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const unknown = stringsIn(schema.required).filter((name) => !Object.hasOwn(properties, name));
  const complete = isSchema(schema.properties) ? schema : { ...schema, properties };
  if (complete !== schema) changes.add('an object gets "properties"', location.path);
  if (unknown.length === 0) return complete;
  changes.add("required fields without a schema are listed in the description", location.path);
  const required = stringsIn(schema.required).filter((name) => !unknown.includes(name));
  const rest = required.length > 0 ? { ...complete, required } : omit(complete, ["required"]);
  return withDescription(rest, [`Also required: ${unknown.join(", ")}.`]);
}
