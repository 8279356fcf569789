import type { JsonSchema } from "../core/schema.ts";
import { anything } from "./anything.ts";
import type { Fitting, Place } from "./fitting.ts";
import { ANNOTATIONS, isSchema, KEYWORDS_OF, listed, only, typeOfValue, typesOf, without } from "./schema-parts.ts";
import { inWords, withWords } from "./words.ts";

/** Says the type where it goes without saying. A schema that only says what objects look like is meant for objects. */
export function sayType(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  if ("type" in schema || "$ref" in schema || (rules.everyType === undefined && rules.enums === undefined))
    return schema;
  const values = Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
  const isLeft = PARTS_SAY_IT.some((keyword) => keyword in schema) || rules.everyType === undefined;
  if (isLeft && !Array.isArray(values)) return schema;
  const types = Array.isArray(values) ? typesOfValues(values) : impliedTypes(schema);
  if (types.length > 0) {
    notes.add(`its type is said (${types.join(", ")})`, place.path);
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  notes.add("a value of any type is spelled out type by type", place.path);
  const lost = Object.entries(without(schema, ANNOTATIONS)).map(([keyword, value]) => inWords(keyword, value));
  return withWords({ ...only(schema, ANNOTATIONS), ...anything(rules) }, lost);
}

const PARTS_SAY_IT = ["anyOf", "oneOf", "allOf"];

function typesOfValues(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map(typeOfValue))];
}

function impliedTypes(schema: JsonSchema): readonly string[] {
  const types = Object.keys(KEYWORDS_OF).filter((type) =>
    KEYWORDS_OF[type]?.some((keyword) => keyword !== "format" && keyword in schema),
  );
  return types.length === 1 ? types : [];
}

/** Lists of types in the words that the client knows. Keywords of one type go where that type goes. */
export function splitTypes(
  schema: JsonSchema,
  place: Place,
  fitting: Fitting,
  finish: (part: JsonSchema) => JsonSchema,
): JsonSchema {
  const { rules, notes } = fitting;
  if (!Array.isArray(schema.type) || rules.typeLists === undefined) return schema;
  const types = typesOf(schema);
  const real = types.filter((type) => type !== "null" || rules.typeLists === "anyOf");
  notes.add(`the list of types became ${real.length > 1 ? "alternatives" : '"nullable"'}`, place.path);
  const mark = real.length < types.length ? nullable : (part: JsonSchema) => part;
  if (real.length === 1) return mark({ ...schema, type: real[0] });
  if (COMBINED.some((keyword) => keyword in schema)) return without(schema, ["type"]);
  const [first, ...others] = real.map((type) => part(schema, type)).filter((each) => each !== undefined);
  if (first === undefined)
    return splitTypes(sayType(without(schema, ["type"]), place, fitting), place, fitting, finish);
  const around = only(schema, [...ANNOTATIONS, "$defs", "definitions", "$schema"]);
  if (others.length === 0) return { ...around, ...mark(first) };
  return { ...around, anyOf: [mark(first), ...others].map(finish) };
}

const COMBINED = ["anyOf", "oneOf", "allOf", "not", "if"];

/** What a schema says of values of one type; undefined where it allows none. */
function part(schema: JsonSchema, type: string): JsonSchema | undefined {
  const keywords = KEYWORDS_OF[type === "integer" ? "number" : type] ?? [];
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => isOfType(value, type)) : undefined;
  if (values?.length === 0) return undefined;
  const isWhole = type === "null" || values === undefined;
  return { type, ...(isWhole ? {} : { enum: values }), ...only(schema, keywords) };
}

function isOfType(value: unknown, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOfValue(value) === type;
}

/** Null is one of its values, also where these are listed. */
function nullable(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.enum)) return { ...schema, nullable: true };
  return { ...schema, enum: schema.enum.filter((value) => value !== null), nullable: true };
}

/** Where null is no type: "this or null" is a nullable this. */
export function collapseNull(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  const hasNoNull = rules.typeLists === "nullable" && rules.everyType !== undefined;
  if (!hasNoNull || !Array.isArray(schema.anyOf)) return schema;
  const isNull = (each: unknown): boolean => isSchema(each) && each.type === "null";
  const real = schema.anyOf.filter((each) => !isNull(each)).filter(isSchema);
  if (real.length === listed(schema.anyOf).length) return schema;
  const index = real.findIndex((each) => typeof each.type === "string");
  notes.add('"or null" became "nullable"', place.path);
  if (index < 0)
    return withWords({ ...without(schema, ["anyOf"]), ...anything(rules) }, [inWords("anyOf", schema.anyOf)]);
  const parts = real.map((each, at) => (at === index ? nullable(each) : each));
  const [first = {}] = parts;
  if (parts.length > 1) return { ...schema, anyOf: parts };
  return { ...without(schema, ["anyOf"]), ...first, ...only(schema, ["description"]) };
}
