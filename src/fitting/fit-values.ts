import type { JsonSchema } from "../core/schema.ts";
import type { Fitting, Place } from "./fitting.ts";
import { without } from "./schema-parts.ts";
import { inWords, withWords } from "./words.ts";

/** A single value is a choice of one. */
export function constAsEnum(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  if (!Object.hasOwn(schema, "const") || rules.keywords === undefined || rules.keywords.has("const")) return schema;
  notes.add('"const" became a choice of one', place.path);
  const { const: value, ...rest } = schema;
  return "enum" in rest ? rest : { ...rest, enum: [value] };
}

/** Where only texts can be chosen from, other values are said in words. */
export function textValues(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  if (rules.enums === undefined || !Array.isArray(schema.enum)) return schema;
  if (schema.enum.every((value) => typeof value === "string" && value !== "")) return schema;
  notes.add("a choice of values other than texts is said in words", place.path);
  return withWords(without(schema, ["enum"]), [inWords("enum", schema.enum)]);
}
