import type { JsonSchema } from "../../core/schema.ts";
import type { SchemaRules } from "./schema-rules.ts";
import { TYPES } from "./schema-values.ts";

/** Arrays of arrays are described up to this level. */
const MAX_NESTING = 1;

/** A schema for a value of any type. If every schema needs a type, nested arrays are described up to `MAX_NESTING`. */
export function anyValue(rules: SchemaRules): JsonSchema {
  return rules.everyType === undefined ? {} : typedAnyValue(rules, MAX_NESTING);
}

function typedAnyValue(rules: SchemaRules, levels: number): JsonSchema {
  const types = TYPES.filter((type) => type !== "array" || levels >= 0);
  const items = levels >= 0 ? { items: typedAnyValue(rules, levels - 1) } : {};
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
