import type { JsonSchema } from "../../core/schema.ts";
import { describeKeyword, withDescription } from "./descriptions.ts";
import { childLocation, type FitContext, type SchemaLocation } from "./fit-context.ts";
import { moveToDescription } from "./fit-keywords.ts";
import { isSchema, mapItems, mapValues } from "./schema-values.ts";

/** Keywords whose schemas describe children of the value, with the step in the path. */
const CHILD_STEPS: ReadonlyMap<string, string> = new Map([
  ["items", "[]"],
  ["prefixItems", "[]"],
  ["contains", "[]"],
  ["unevaluatedItems", "[]"],
  ["patternProperties", "*"],
  ["additionalProperties", "*"],
  ["unevaluatedProperties", "*"],
]);
const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const SINGLES = [
  "items",
  "additionalProperties",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "contains",
  "unevaluatedProperties",
  "unevaluatedItems",
];
/** Keywords where every client supports `true` and `false`. */
const BOOLEAN_KEYWORDS = ["items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"];

/** Fits the schemas inside a schema. Returns the same object if none changes. */
export function fitChildren(schema: JsonSchema, location: SchemaLocation, context: FitContext): JsonSchema {
  const fitted = mapValues(schema, (value, keyword) => {
    const there = childLocation(location, CHILD_STEPS.get(keyword));
    if (MAPS.includes(keyword) && isSchema(value)) {
      return mapValues(value, (each, name) =>
        context.fit(each, keyword === "properties" ? childLocation(location, name) : there),
      );
    }
    if (LISTS.includes(keyword) && Array.isArray(value)) return mapItems(value, (each) => context.fit(each, there));
    if (!SINGLES.includes(keyword) || (BOOLEAN_KEYWORDS.includes(keyword) && typeof value === "boolean")) return value;
    return context.fit(value, there);
  });
  return [inverted, oneOf].reduce((current, step) => step(current, schema, location, context), fitted);
}

/** These keywords accept less when their fitted children accept more. They move to the description if the children changed. */
function inverted(
  fitted: JsonSchema,
  before: JsonSchema,
  location: SchemaLocation,
  { changes }: FitContext,
): JsonSchema {
  const moved = [
    ...(fitted.if === before.if ? [] : ["if", "then", "else"]),
    ...(fitted.not === before.not ? [] : ["not"]),
    ...(fitted.contains === before.contains ? [] : ["contains", "minContains", "maxContains"]),
  ];
  return moveToDescription(fitted, moved, { path: location.path, changes, original: before });
}

/** Several fitted alternatives may accept the same value, so "oneOf" becomes "anyOf". */
function oneOf(
  fitted: JsonSchema,
  before: JsonSchema,
  location: SchemaLocation,
  { rules, changes }: FitContext,
): JsonSchema {
  if (!Array.isArray(fitted.oneOf)) return fitted;
  if (fitted.oneOf === before.oneOf && rules.oneOf === undefined) return fitted;
  changes.add('"oneOf" became "anyOf"', location.path);
  const { oneOf: choices, ...rest } = fitted;
  if (!("anyOf" in rest)) return { ...rest, anyOf: choices };
  return withDescription(rest, [describeKeyword("oneOf", choices)]);
}
