import type { JsonSchema } from "../core/schema.ts";
import { isSchema, listed } from "./schema-parts.ts";

const LONGEST = 400;

const SENTENCES: ReadonlyMap<string, (value: unknown) => string> = new Map([
  // What Zod says of every integer says nothing to a model.
  ["minimum", (value) => (value === Number.MIN_SAFE_INTEGER ? "" : `At least ${text(value)}.`)],
  ["maximum", (value) => (value === Number.MAX_SAFE_INTEGER ? "" : `At most ${text(value)}.`)],
  ["exclusiveMinimum", (value) => `More than ${text(value)}.`],
  ["exclusiveMaximum", (value) => `Less than ${text(value)}.`],
  ["multipleOf", (value) => `A multiple of ${text(value)}.`],
  ["minLength", (value) => `At least ${text(value)} characters.`],
  ["maxLength", (value) => `At most ${text(value)} characters.`],
  ["pattern", (value) => `Must match /${value}/.`],
  ["format", (value) => `Format: ${value}.`],
  ["contentEncoding", (value) => `Encoded as ${value}.`],
  ["contentMediaType", (value) => `Holds ${value}.`],
  ["minItems", (value) => `At least ${text(value)} items.`],
  ["maxItems", (value) => `At most ${text(value)} items.`],
  ["uniqueItems", (value) => (value === true ? "No item twice." : "")],
  ["prefixItems", (value) => `Items in this order: ${listed(value).map(text).join(", ")}.`],
  ["contains", (value) => `Among the items: ${text(value)}.`],
  ["minProperties", (value) => `At least ${text(value)} fields.`],
  ["maxProperties", (value) => `At most ${text(value)} fields.`],
  ["additionalProperties", otherFields],
  ["unevaluatedProperties", otherFields],
  [
    "patternProperties",
    (value) =>
      isSchema(value)
        ? Object.entries(value)
            .map(([pattern, schema]) => `Fields with names that match ${pattern}: ${text(schema)}.`)
            .join(" ")
        : "",
  ],
  ["propertyNames", (value) => `The names of the fields: ${text(value)}.`],
  ["dependentRequired", (value) => `Fields that need others: ${text(value)}.`],
  ["dependentSchemas", (value) => `With these fields more is needed: ${text(value)}.`],
  ["enum", (value) => `One of: ${listed(value).map(text).join(", ")}.`],
  ["const", (value) => `Always ${text(value)}.`],
  ["not", (value) => `Not: ${text(value)}.`],
  ["anyOf", (value) => `One or more of: ${listed(value).map(text).join(", ")}.`],
  ["oneOf", (value) => `One of: ${listed(value).map(text).join(", ")}.`],
  ["allOf", (value) => `All of: ${listed(value).map(text).join(", ")}.`],
  ["if", (value) => `If ${text(value)}:`],
  ["then", (value) => `then ${text(value)}.`],
  ["else", (value) => `Otherwise ${text(value)}.`],
  ["default", (value) => `Default: ${text(value)}.`],
  ["examples", (value) => `Examples: ${listed(value).map(text).join(", ")}.`],
  ["example", (value) => `Example: ${text(value)}.`],
  ["deprecated", (value) => (value === true ? "Deprecated." : "")],
] as const);

/** What a keyword asks for, as a sentence for a model; "" where there is nothing to say. */
export function inWords(keyword: string, value: unknown): string {
  return SENTENCES.get(keyword)?.(value) ?? "";
}

/** A schema whose description says some more. */
export function withWords(schema: JsonSchema, sentences: readonly string[]): JsonSchema {
  const description = addWords(typeof schema.description === "string" ? schema.description : "", sentences);
  return description === "" || description === schema.description ? schema : { ...schema, description };
}

/** A description that says some more. */
export function addWords(description: string, sentences: readonly string[], between = " "): string {
  const said = sentences.filter((sentence) => sentence !== "" && !description.includes(sentence));
  if (said.length === 0) return description;
  const before = description.trim();
  const ended = before === "" || /[.:;!?)]$/.test(before) ? before : `${before}.`;
  return [...(ended === "" ? [] : [ended]), ...new Set(said)].join(between);
}

/** A value as JSON, cut where it is long. Never throws. */
export function text(value: unknown): string {
  const json = jsonOf(value);
  return json.length > LONGEST ? `${json.slice(0, LONGEST).toWellFormed()}…` : json;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "(not JSON)";
  }
}

function otherFields(value: unknown): string {
  if (value === false) return "No other fields.";
  return isSchema(value) && Object.keys(value).length > 0 ? `Other fields: ${text(value)}.` : "";
}
