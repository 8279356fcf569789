import type { JsonSchema } from "../../core/schema.ts";
import { anyValue } from "./any-value.ts";
import { withDescription } from "./descriptions.ts";
import type { FitContext, SchemaLocation } from "./fit-context.ts";
import { intersect } from "./intersect.ts";
import { resolveRef } from "./resolve-ref.ts";
import { isSchema, omit, typeNamesOf } from "./schema-values.ts";

/** A schema without a reference at its top level. */
export interface InlinedSchema {
  readonly schema: JsonSchema;
  readonly location: SchemaLocation;
}

const DYNAMIC_REFS = ["$dynamicRef", "$recursiveRef"];

/** Replaces a reference by its target, merged with the keywords beside it. A recursive reference is replaced by any value of its type. */
export function inlineRef(schema: JsonSchema, location: SchemaLocation, context: FitContext): InlinedSchema {
  const { changes } = context;
  const own = omit(schema, DYNAMIC_REFS);
  if (own !== schema) changes.add("a dynamic reference is left out", location.path);
  const { $ref } = own;
  if (typeof $ref !== "string") return { schema: own, location: locationOf(own, location, context) };
  const beside = omit(own, ["$ref"]);
  const target = location.hasOwnBase ? undefined : resolveRef($ref, context.root);
  if (target === undefined) {
    changes.add(`the reference ${$ref} cannot be resolved and is left out`, location.path);
    return { schema: beside, location };
  }
  if (location.refs.includes($ref)) return { schema: recursionStub(target, beside, location, context), location };
  changes.add("references are inlined", location.path);
  const inner = { ...location, refs: [...location.refs, $ref] };
  const found = isSchema(target) ? target : context.fit(target, inner);
  return inlineRef(intersect(beside, isSchema(found) ? found : {}), inner, context);
}

function locationOf(schema: JsonSchema, location: SchemaLocation, { root }: FitContext): SchemaLocation {
  const hasOwnId = typeof schema.$id === "string" && schema.$id !== root.$id;
  return hasOwnId ? { ...location, hasOwnBase: true } : location;
}

/** Accepts every value that the target accepts. */
function recursionStub(
  target: unknown,
  beside: JsonSchema,
  { path }: SchemaLocation,
  { changes, rules }: FitContext,
): JsonSchema {
  changes.add("a recursive schema is inlined once", path);
  const types = isSchema(target) ? typeNamesOf(target) : [];
  const isObject = types.length === 1 && types[0] === "object" && isSchema(target) && target.nullable !== true;
  const rest = isObject ? { type: "object" } : anyValue(rules);
  const description =
    isSchema(target) && typeof target.description === "string" ? { description: target.description } : {};
  return withDescription({ ...rest, ...description, ...beside }, [
    "It has the same structure as the value that contains it.",
  ]);
}
