import type { JsonSchema } from "../../core/schema.ts";
import type { FitContext, SchemaLocation } from "./fit-context.ts";
import { isSchema, omit } from "./schema-values.ts";

/** Converts keywords of older drafts of JSON Schema to 2020-12. */
export function upgradeDraft(schema: JsonSchema, location: SchemaLocation, { changes, root }: FitContext): JsonSchema {
  const known = withoutNewer(schema, root);
  const modern = [tuple, dependencies, bounds].reduce((current, step) => step(current), known);
  if (modern !== schema) changes.add("written in an older draft of JSON Schema, sent as 2020-12", location.path);
  return modern;
}

/** Whether `$schema` names a draft older than 2020-12. */
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

/** Removes keywords that the draft of the schema did not have yet. */
function withoutNewer(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (!isOldDraft(root)) return schema;
  const newer = String(root.$schema).includes("2019-09") ? [] : SINCE_2019;
  return omit(schema, [...newer, "prefixItems", "$dynamicRef"]);
}

function tuple(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return omit(schema, ["additionalItems"]);
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

/** Converts boolean `exclusiveMinimum` and `exclusiveMaximum`. */
function bounds(schema: JsonSchema): JsonSchema {
  return bound(bound(schema, "minimum", "exclusiveMinimum"), "maximum", "exclusiveMaximum");
}

function bound(schema: JsonSchema, plain: string, exclusive: string): JsonSchema {
  if (typeof schema[exclusive] !== "boolean") return schema;
  const limit = schema[plain];
  if (schema[exclusive] === false || typeof limit !== "number") return omit(schema, [exclusive]);
  return { ...omit(schema, [plain, exclusive]), [exclusive]: limit };
}
