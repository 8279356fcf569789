import type { JsonSchema } from "../../core/schema.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { asList, isSchema } from "./schema-values.ts";

const MAX_LENGTH = 400;

const SENTENCES: ReadonlyMap<string, (value: unknown) => string> = new Map([
  // Zod adds these bounds to every integer.
  ["minimum", (value) => (value === Number.MIN_SAFE_INTEGER ? "" : `At least ${jsonText(value)}.`)],
  ["maximum", (value) => (value === Number.MAX_SAFE_INTEGER ? "" : `At most ${jsonText(value)}.`)],
  ["exclusiveMinimum", (value) => `More than ${jsonText(value)}.`],
  ["exclusiveMaximum", (value) => `Less than ${jsonText(value)}.`],
  ["multipleOf", (value) => `A multiple of ${jsonText(value)}.`],
  ["minLength", (value) => `At least ${jsonText(value)} characters.`],
  ["maxLength", (value) => `At most ${jsonText(value)} characters.`],
  ["pattern", (value) => `Must match /${value}/.`],
  ["format", (value) => `Format: ${value}.`],
  ["contentEncoding", (value) => `Encoded as ${value}.`],
  ["contentMediaType", (value) => `Holds ${value}.`],
  ["minItems", (value) => `At least ${jsonText(value)} items.`],
  ["maxItems", (value) => `At most ${jsonText(value)} items.`],
  ["uniqueItems", (value) => (value === true ? "No duplicate items." : "")],
  ["prefixItems", (value) => `Items in this order: ${asList(value).map(jsonText).join(", ")}.`],
  ["contains", (value) => `Among the items: ${jsonText(value)}.`],
  ["minProperties", (value) => `At least ${jsonText(value)} fields.`],
  ["maxProperties", (value) => `At most ${jsonText(value)} fields.`],
  ["additionalProperties", otherFields],
  ["unevaluatedProperties", otherFields],
  [
    "patternProperties",
    (value) =>
      isSchema(value)
        ? Object.entries(value)
            .map(([pattern, schema]) => `Fields with names that match ${pattern}: ${jsonText(schema)}.`)
            .join(" ")
        : "",
  ],
  ["propertyNames", (value) => `The names of the fields: ${jsonText(value)}.`],
  ["dependentRequired", (value) => `Fields that need others: ${jsonText(value)}.`],
  ["dependentSchemas", (value) => `With these fields more is needed: ${jsonText(value)}.`],
  ["enum", (value) => `One of: ${asList(value).map(jsonText).join(", ")}.`],
  ["const", (value) => `Always ${jsonText(value)}.`],
  ["not", (value) => `Not: ${jsonText(value)}.`],
  ["anyOf", (value) => `One or more of: ${asList(value).map(jsonText).join(", ")}.`],
  ["oneOf", (value) => `One of: ${asList(value).map(jsonText).join(", ")}.`],
  ["allOf", (value) => `All of: ${asList(value).map(jsonText).join(", ")}.`],
  ["if", (value) => `If ${jsonText(value)}:`],
  ["then", (value) => `then ${jsonText(value)}.`],
  ["else", (value) => `Otherwise ${jsonText(value)}.`],
  ["default", (value) => `Default: ${jsonText(value)}.`],
  ["examples", (value) => `Examples: ${asList(value).map(jsonText).join(", ")}.`],
  ["example", (value) => `Example: ${jsonText(value)}.`],
  ["deprecated", (value) => (value === true ? "Deprecated." : "")],
] as const);

/** A keyword as a sentence for a model; "" for a keyword without meaning to a model. */
export function describeKeyword(keyword: string, value: unknown): string {
  return SENTENCES.get(keyword)?.(value) ?? "";
}

/** Appends sentences to the description of a schema. */
export function withDescription(schema: JsonSchema, sentences: readonly string[]): JsonSchema {
  const description = appendSentences(typeof schema.description === "string" ? schema.description : "", sentences);
  return description === "" || description === schema.description ? schema : { ...schema, description };
}

/** Appends sentences that the description does not contain yet. */
export function appendSentences(description: string, sentences: readonly string[], between = " "): string {
  const added = sentences.filter((sentence) => sentence !== "" && !description.includes(sentence));
  if (added.length === 0) return description;
  const before = description.trim();
  const ended = before === "" || /[.:;!?)]$/.test(before) ? before : `${before}.`;
  return [...(ended === "" ? [] : [ended]), ...new Set(added)].join(between);
}

/** A value as JSON, cut to 400 characters. Never throws. */
export function jsonText(value: unknown): string {
  const json = tryOrUndefined(() => JSON.stringify(value) ?? String(value)) ?? "(not JSON)";
  return json.length > MAX_LENGTH ? `${json.slice(0, MAX_LENGTH).toWellFormed()}…` : json;
}

function otherFields(value: unknown): string {
  if (value === false) return "No other fields.";
  return isSchema(value) && Object.keys(value).length > 0 ? `Other fields: ${jsonText(value)}.` : "";
}
