import type { JsonSchema } from "../core/schema.ts";
import { type Fitting, inside, type Place } from "./fitting.ts";
import { isSchema, mapped, mappedList, without } from "./schema-parts.ts";
import { inWords, withWords } from "./words.ts";

/** Keywords whose schemas are about other values than the one at hand, with the step to these. */
const FURTHER_IN: ReadonlyMap<string, string> = new Map([
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
/** Where `true` and `false` are no schemas but switches, understood by all. */
const SWITCHES = ["items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"];

/** Fits the schemas inside of a schema. The same object comes back where none is changed. */
export function fitChildren(schema: JsonSchema, place: Place, fitting: Fitting): JsonSchema {
  const fitted = mapped(schema, (value, keyword) => {
    const there = inside(place, FURTHER_IN.get(keyword));
    if (MAPS.includes(keyword) && isSchema(value)) {
      return mapped(value, (each, name) => fitting.fit(each, keyword === "properties" ? inside(place, name) : there));
    }
    if (LISTS.includes(keyword) && Array.isArray(value)) return mappedList(value, (each) => fitting.fit(each, there));
    if (!SINGLES.includes(keyword) || (SWITCHES.includes(keyword) && typeof value === "boolean")) return value;
    return fitting.fit(value, there);
  });
  return [conditions, exclusions, oneOf].reduce((current, step) => step(current, schema, place, fitting), fitted);
}

/**
 * What is fitted holds for more than before. Where a whole holds for less the more its part holds for, it goes: what it
 * asked for is said in words.
 */
function exclusions(fitted: JsonSchema, before: JsonSchema, place: Place, { notes }: Fitting): JsonSchema {
  const gone = [
    ...(fitted.not === before.not ? [] : ["not"]),
    ...(fitted.contains === before.contains ? [] : ["contains", "minContains", "maxContains"]),
  ].filter((keyword) => keyword in before);
  return saidInWords(fitted, before, gone, (keyword) => notes.add(`"${keyword}" is said in words`, place.path));
}

function conditions(fitted: JsonSchema, before: JsonSchema, place: Place, { notes }: Fitting): JsonSchema {
  const gone = fitted.if === before.if ? [] : ["if", "then", "else"].filter((keyword) => keyword in before);
  return saidInWords(fitted, before, gone, (keyword) => notes.add(`"${keyword}" is said in words`, place.path));
}

function saidInWords(
  fitted: JsonSchema,
  before: JsonSchema,
  gone: readonly string[],
  note: (keyword: string) => void,
): JsonSchema {
  if (gone.length === 0) return fitted;
  for (const keyword of gone) note(keyword);
  return withWords(
    without(fitted, gone),
    gone.map((keyword) => inWords(keyword, before[keyword])),
  );
}

/** Alternatives that were fitted may hold together, so that exactly one cannot be asked for. */
function oneOf(fitted: JsonSchema, before: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  if (!Array.isArray(fitted.oneOf)) return fitted;
  if (fitted.oneOf === before.oneOf && rules.oneOf === undefined) return fitted;
  notes.add('"oneOf" became "anyOf"', place.path);
  const { oneOf: choices, ...rest } = fitted;
  if (!("anyOf" in rest)) return { ...rest, anyOf: choices };
  return withWords(rest, [inWords("oneOf", choices)]);
}
