import type { JsonSchema } from "../../core/schema.ts";
import { describeKeyword, jsonText, withDescription } from "./descriptions.ts";
import type { FitContext, SchemaLocation } from "./fit-context.ts";
import type { SchemaChanges } from "./schema-changes.ts";
import type { SchemaRules } from "./schema-rules.ts";
import { isSchema, omit, stringsIn } from "./schema-values.ts";

/** Keywords that have a meaning only together. */
const GROUPS = [
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
];

/** Moves keywords that the client does not support to the description. */
export function allowedKeywords(
  schema: JsonSchema,
  location: SchemaLocation,
  { rules, changes }: FitContext,
): JsonSchema {
  const refused = new Set(Object.keys(schema).filter((keyword) => isRefused(keyword, schema, rules)));
  for (const group of GROUPS) if (group.some((each) => refused.has(each))) for (const each of group) refused.add(each);
  // Otherwise it would apply to the fields that match the patterns.
  if (refused.has("patternProperties")) refused.add("additionalProperties");
  return moveToDescription(schema, [...refused], { path: location.path, changes });
}

/** Removes keywords from a schema and describes their values in `original`, which is the schema by default. */
export function moveToDescription(
  schema: JsonSchema,
  keywords: readonly string[],
  { path, changes, original = schema }: { path: string; changes: SchemaChanges; original?: JsonSchema },
): JsonSchema {
  const moved = keywords.filter((keyword) => keyword in original);
  if (moved.length === 0) return schema;
  for (const keyword of moved) changes.add(changeText(keyword, original), path);
  const sentences = moved.map((keyword) => describeKeyword(keyword, original[keyword]));
  return withDescription(omit(schema, moved), sentences);
}

function isRefused(keyword: string, { format }: JsonSchema, rules: SchemaRules): boolean {
  const { keywords, refused, formats } = rules;
  if (refused?.has(keyword)) return true;
  if (keyword === "format" && formats !== undefined && !formats.has(String(format))) return true;
  return keyword !== "nullable" && keywords !== undefined && !keywords.has(keyword);
}

function changeText(keyword: string, schema: JsonSchema): string {
  if (describeKeyword(keyword, schema[keyword]) === "") return `"${keyword}" is left out`;
  return keyword === "format"
    ? `the format "${schema.format}" is moved to the description`
    : `"${keyword}" is moved to the description`;
}

export function constToEnum(schema: JsonSchema, location: SchemaLocation, { rules, changes }: FitContext): JsonSchema {
  if (!Object.hasOwn(schema, "const") || rules.keywords === undefined || rules.keywords.has("const")) return schema;
  changes.add('"const" became "enum"', location.path);
  const { const: value, ...rest } = schema;
  return "enum" in rest ? rest : { ...rest, enum: [value] };
}

/** Moves an `enum` with other values than strings to the description. */
export function stringEnums(schema: JsonSchema, location: SchemaLocation, { rules, changes }: FitContext): JsonSchema {
  if (rules.enums === undefined || !Array.isArray(schema.enum)) return schema;
  if (schema.enum.every((value) => typeof value === "string" && value !== "")) return schema;
  changes.add('"enum" with other values than strings is moved to the description', location.path);
  return withDescription(omit(schema, ["enum"]), [describeKeyword("enum", schema.enum)]);
}

/** Moves fields whose names the client rejects to the description. The tool still accepts them. */
export function refusedFieldNames(
  schema: JsonSchema,
  { fieldNames: allowed }: SchemaRules,
  changes: SchemaChanges,
): JsonSchema {
  const { properties } = schema;
  if (allowed === undefined || !isSchema(properties)) return schema;
  const refused = Object.keys(properties).filter((name) => !allowed.test(name));
  if (refused.length === 0) return schema;
  for (const name of refused)
    changes.add("the client refuses this name, so the field is moved to the description", name);
  const needed = stringsIn(schema.required);
  const required = needed.filter((name) => !refused.includes(name));
  return withDescription(
    {
      ...omit(schema, ["required", "additionalProperties", "unevaluatedProperties"]),
      properties: omit(properties, refused),
      ...(required.length > 0 ? { required } : {}),
    },
    refused.map((name) => fieldText(name, properties[name], needed.includes(name))),
  );
}

function fieldText(name: string, schema: unknown, isRequired: boolean): string {
  return `${isRequired ? "Needs" : "Also takes"} the field ${JSON.stringify(name)}: ${jsonText(schema)}.`;
}
