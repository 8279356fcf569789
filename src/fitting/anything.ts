import type { JsonSchema } from "../core/schema.ts";
import type { SchemaRules } from "./profile.ts";
import { TYPES } from "./schema-parts.ts";

/** Lists in lists that are still described where a list must say what is in it. */
const LISTS_IN_LISTS = 1;

/** A schema for a value of any type. Where every schema has a type, lists are described down to lists in lists. */
export function anything(rules: SchemaRules): JsonSchema {
  return rules.everyType === undefined ? {} : spelled(rules, LISTS_IN_LISTS);
}

function spelled(rules: SchemaRules, levels: number): JsonSchema {
  const types = TYPES.filter((type) => type !== "array" || levels >= 0);
  const items = levels >= 0 ? { items: spelled(rules, levels - 1) } : {};
  const properties = rules.objects === undefined ? {} : { properties: {} };
  if (rules.everyType === "list") return { type: types, ...properties, ...items };
  const nullable = rules.typeLists === "nullable";
  return {
    anyOf: types
      .filter((type) => type !== "null" || !nullable)
      .map((type, index) => ({
        type,
        ...(type === "object" ? properties : {}),
        ...(type === "array" ? items : {}),
        ...(nullable && index === 0 ? { nullable: true } : {}),
      })),
  };
}
