import type { JsonSchema } from "../../core/schema.ts";
import { anyValue } from "./any-value.ts";
import { describeKeyword, withDescription } from "./descriptions.ts";
import type { FitContext, SchemaLocation } from "./fit-context.ts";
import { ANNOTATIONS, asList, isSchema, KEYWORDS_OF, omit, pick, typeNamesOf, typeOfValue } from "./schema-values.ts";

/** Adds a missing type that the values or keywords imply, or else all types. */
export function addType(schema: JsonSchema, location: SchemaLocation, { rules, changes }: FitContext): JsonSchema {
  if ("type" in schema || "$ref" in schema || (rules.everyType === undefined && rules.enums === undefined))
    return schema;
  const values = Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
  const isLeft = COMBINATIONS.some((keyword) => keyword in schema) || rules.everyType === undefined;
  if (isLeft && !Array.isArray(values)) return schema;
  const types = Array.isArray(values) ? typesOfValues(values) : impliedTypes(schema);
  if (types.length > 0) {
    changes.add(`"type" is added (${types.join(", ")})`, location.path);
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  changes.add("a value of any type is sent as a list of all types", location.path);
  const lost = Object.entries(omit(schema, ANNOTATIONS)).map(([keyword, value]) => describeKeyword(keyword, value));
  return withDescription({ ...pick(schema, ANNOTATIONS), ...anyValue(rules) }, lost);
}

const COMBINATIONS = ["anyOf", "oneOf", "allOf"];

function typesOfValues(values: readonly unknown[]): readonly string[] {
  return [...new Set(values.map(typeOfValue))];
}

function impliedTypes(schema: JsonSchema): readonly string[] {
  const types = Object.keys(KEYWORDS_OF).filter((type) =>
    KEYWORDS_OF[type]?.some((keyword) => keyword !== "format" && keyword in schema),
  );
  return types.length === 1 ? types : [];
}

/** Replaces a list of types by `nullable` or by alternatives, each with the keywords of its type. */
export function splitTypes(
  schema: JsonSchema,
  location: SchemaLocation,
  context: FitContext,
  finish: (part: JsonSchema) => JsonSchema,
): JsonSchema {
  const { rules, changes } = context;
  if (!Array.isArray(schema.type) || rules.typeLists === undefined) return schema;
  const types = typeNamesOf(schema);
  const real = types.filter((type) => type !== "null" || rules.typeLists === "anyOf");
  changes.add(`the list of types became ${real.length > 1 ? "alternatives" : '"nullable"'}`, location.path);
  const mark = real.length < types.length ? nullable : (part: JsonSchema) => part;
  if (real.length === 1) return mark({ ...schema, type: real[0] });
  if (COMBINED.some((keyword) => keyword in schema)) return omit(schema, ["type"]);
  const [first, ...others] = real.map((type) => ofType(schema, type)).filter((each) => each !== undefined);
  if (first === undefined)
    return splitTypes(addType(omit(schema, ["type"]), location, context), location, context, finish);
  const around = pick(schema, [...ANNOTATIONS, "$defs", "definitions", "$schema"]);
  if (others.length === 0) return { ...around, ...mark(first) };
  return { ...around, anyOf: [mark(first), ...others].map(finish) };
}

const COMBINED = ["anyOf", "oneOf", "allOf", "not", "if"];

/** The schema for one of its types; undefined if it accepts no value of that type. */
function ofType(schema: JsonSchema, type: string): JsonSchema | undefined {
  const keywords = KEYWORDS_OF[type === "integer" ? "number" : type] ?? [];
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => isOfType(value, type)) : undefined;
  if (values?.length === 0) return undefined;
  const isWhole = type === "null" || values === undefined;
  return { type, ...(isWhole ? {} : { enum: values }), ...pick(schema, keywords) };
}

function isOfType(value: unknown, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOfValue(value) === type;
}

function nullable(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.enum)) return { ...schema, nullable: true };
  return { ...schema, enum: schema.enum.filter((value) => value !== null), nullable: true };
}

/** Replaces the alternative "null" by `nullable`. */
export function collapseNull(schema: JsonSchema, location: SchemaLocation, { rules, changes }: FitContext): JsonSchema {
  const hasNoNull = rules.typeLists === "nullable" && rules.everyType !== undefined;
  if (!hasNoNull || !Array.isArray(schema.anyOf)) return schema;
  const isNull = (each: unknown): boolean => isSchema(each) && each.type === "null";
  const real = schema.anyOf.filter((each) => !isNull(each)).filter(isSchema);
  if (real.length === asList(schema.anyOf).length) return schema;
  const index = real.findIndex((each) => typeof each.type === "string");
  changes.add('"or null" became "nullable"', location.path);
  if (index < 0)
    return withDescription({ ...omit(schema, ["anyOf"]), ...anyValue(rules) }, [
      describeKeyword("anyOf", schema.anyOf),
    ]);
  const parts = real.map((each, at) => (at === index ? nullable(each) : each));
  const [first = {}] = parts;
  if (parts.length > 1) return { ...schema, anyOf: parts };
  return { ...omit(schema, ["anyOf"]), ...first, ...pick(schema, ["description"]) };
}

/** For a client that compares the type of a value with the type of each alternative: one type each, and no "integer". */
export function typedAlternatives(
  schema: JsonSchema,
  location: SchemaLocation,
  { rules, changes }: FitContext,
): JsonSchema {
  if (rules.alternatives === undefined || !Array.isArray(schema.anyOf)) return schema;
  const flat = schema.anyOf.flatMap((each) => (isUnion(each) ? (each.anyOf as unknown[]) : [each]));
  if (!flat.every((each) => isSchema(each) && typeof each.type === "string")) {
    changes.add("alternatives without a type are moved to the description", location.path);
    return withDescription(omit(schema, ["anyOf"]), [describeKeyword("anyOf", schema.anyOf)]);
  }
  if (!flat.some((each) => each.type === "integer") && !schema.anyOf.some(isUnion)) return schema;
  changes.add("integers among alternatives are sent as numbers", location.path);
  const anyOf = flat.map((each) =>
    each.type === "integer" ? withDescription({ ...each, type: "number" }, ["A whole number."]) : each,
  );
  return { ...schema, anyOf };
}

function isUnion(each: unknown): each is JsonSchema {
  if (!isSchema(each) || !Array.isArray(each.anyOf)) return false;
  return Object.keys(omit(each, ["anyOf", "description", "title", "default"])).length === 0;
}
