import type { JsonSchema } from "../core/schema.ts";
import type { Fitting, Place } from "./fitting.ts";
import { isSchema, without } from "./schema-parts.ts";

/** Says what older drafts of JSON Schema say in the words of 2020-12. */
export function modernise(schema: JsonSchema, place: Place, { notes, root }: Fitting): JsonSchema {
  const known = withoutNewer(schema, root);
  const modern = [tuple, dependencies, bounds].reduce((current, step) => step(current), known);
  if (modern !== schema) notes.add("written in an older draft of JSON Schema, sent as 2020-12", place.path);
  return modern;
}

/** Whether a schema says that it is of a draft older than 2020-12. */
export function isOldDraft({ $schema }: JsonSchema): boolean {
  return typeof $schema === "string" && /draft-0\d|2019-09/.test($schema);
}

const SINCE_2019 = [
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedItems",
  "unevaluatedProperties",
  "minContains",
  "maxContains",
];

/** In an old schema, keywords that came later mean nothing. */
function withoutNewer(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!isOldDraft(root)) return schema;
  const newer = String(root.$schema).includes("2019-09") ? [] : SINCE_2019;
  return without(schema, [...newer, "prefixItems", "$dynamicRef"]);
}

function tuple(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return without(schema, ["additionalItems"]);
  const { items: prefixItems, additionalItems, ...rest } = schema;
  return { ...rest, prefixItems, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

function dependencies(schema: JsonSchema): JsonSchema {
  if (!isSchema(schema.dependencies)) return schema;
  const { dependencies: all, ...rest } = schema;
  const entries = Object.entries(all as JsonSchema);
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  return {
    ...rest,
    ...(names.length > 0 ? { dependentRequired: Object.fromEntries(names) } : {}),
    ...(schemas.length > 0 ? { dependentSchemas: Object.fromEntries(schemas) } : {}),
  };
}

/** `exclusiveMinimum: true` meant that the minimum is not among the values. */
function bounds(schema: JsonSchema): JsonSchema {
  return bound(bound(schema, "minimum", "exclusiveMinimum"), "maximum", "exclusiveMaximum");
}

function bound(schema: JsonSchema, plain: string, exclusive: string): JsonSchema {
  if (typeof schema[exclusive] !== "boolean") return schema;
  const limit = schema[plain];
  if (schema[exclusive] === false || typeof limit !== "number") return without(schema, [exclusive]);
  return { ...without(schema, [plain, exclusive]), [exclusive]: limit };
}
