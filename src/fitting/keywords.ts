import type { JsonSchema } from "../core/schema.ts";
import type { Fitting, Place } from "./fitting.ts";
import type { SchemaRules } from "./profile.ts";
import { without } from "./schema-parts.ts";
import { inWords, withWords } from "./words.ts";

/** Keywords that mean something only together. */
const GROUPS = [
  ["contains", "minContains", "maxContains"],
  ["if", "then", "else"],
];

/** Takes away what does not get through, and says it in words where it can be said. */
export function knownKeywords(schema: JsonSchema, place: Place, { rules, notes }: Fitting): JsonSchema {
  const refused = new Set(Object.keys(schema).filter((keyword) => isRefused(keyword, schema, rules)));
  for (const group of GROUPS) if (group.some((each) => refused.has(each))) for (const each of group) refused.add(each);
  // Without them, the fields whose names match would be among the others.
  if (refused.has("patternProperties")) refused.add("additionalProperties");
  const gone = [...refused].filter((keyword) => keyword in schema);
  if (gone.length === 0) return schema;
  for (const keyword of gone) notes.add(noteOn(keyword, schema), place.path);
  return withWords(
    without(schema, gone),
    gone.map((keyword) => inWords(keyword, schema[keyword])),
  );
}

function isRefused(keyword: string, { format }: JsonSchema, rules: SchemaRules): boolean {
  const { keywords, refused, formats } = rules;
  if (refused?.has(keyword)) return true;
  if (keyword === "format" && formats !== undefined && !formats.has(String(format))) return true;
  return keyword !== "nullable" && keywords !== undefined && !keywords.has(keyword);
}

function noteOn(keyword: string, schema: JsonSchema): string {
  if (inWords(keyword, schema[keyword]) === "") return `"${keyword}" is left out`;
  return keyword === "format" ? `the format "${schema.format}" is said in words` : `"${keyword}" is said in words`;
}
