import type { JsonSchema } from "../core/schema.ts";
import type { Fitting, Place } from "./fitting.ts";
import { isSchema, without } from "./schema-parts.ts";
import { inWords, withWords } from "./words.ts";

/** Alternatives for a client that compares the type of a value with the type of each: one type each, no whole numbers. */
export function typedAlternatives(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  if (rules.alternatives === undefined || !Array.isArray(schema.anyOf)) return schema;
  const flat = schema.anyOf.flatMap((each) => (isUnion(each) ? (each.anyOf as unknown[]) : [each]));
  if (!flat.every((each) => isSchema(each) && typeof each.type === "string")) {
    notes.add("alternatives without a type of their own are said in words", place.path);
    return withWords(without(schema, ["anyOf"]), [inWords("anyOf", schema.anyOf)]);
  }
  if (!flat.some((each) => each.type === "integer") && !schema.anyOf.some(isUnion)) return schema;
  notes.add("whole numbers among alternatives are numbers", place.path);
  const anyOf = flat.map((each) =>
    each.type === "integer" ? withWords({ ...each, type: "number" }, ["A whole number."]) : each,
  );
  return { ...schema, anyOf };
}

function isUnion(each: unknown): each is JsonSchema {
  if (!isSchema(each) || !Array.isArray(each.anyOf)) return false;
  return Object.keys(without(each, ["anyOf", "description", "title", "default"])).length === 0;
}
