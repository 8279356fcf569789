import type { JsonSchema } from "../core/schema.ts";
import type { Notes } from "./notes.ts";
import type { SchemaRules } from "./profile.ts";
import { isSchema, textsIn, without } from "./schema-parts.ts";
import { text, withWords } from "./words.ts";

/** Leaves fields out whose names would cost the whole list. They can still be sent, and are described in words. */
export function fieldNames(schema: JsonSchema, { fieldNames: allowed }: SchemaRules, notes: Notes): JsonSchema {
  const { properties } = schema;
  if (allowed === undefined || !isSchema(properties)) return schema;
  const refused = Object.keys(properties).filter((name) => !allowed.test(name));
  if (refused.length === 0) return schema;
  for (const name of refused) notes.add("its name is refused, so the field is described in words", name);
  const needed = textsIn(schema.required);
  const required = needed.filter((name) => !refused.includes(name));
  return withWords(
    {
      ...without(schema, ["required", "additionalProperties", "unevaluatedProperties"]),
      properties: without(properties, refused),
      ...(required.length > 0 ? { required } : {}),
    },
    refused.map((name) => fieldText(name, properties[name], needed.includes(name))),
  );
}

function fieldText(name: string, schema: unknown, isRequired: boolean): string {
  return `${isRequired ? "Needs" : "Also takes"} the field ${JSON.stringify(name)}: ${text(schema)}.`;
}
