import type { JsonSchema } from "../core/schema.ts";
import { anything } from "./anything.ts";
import type { Fitting, Place } from "./fitting.ts";
import { intersect } from "./intersect.ts";
import { resolveRef } from "./resolve-ref.ts";
import { isSchema, typesOf, without } from "./schema-parts.ts";
import { withWords } from "./words.ts";

/** A schema that refers to nothing itself, though its parts may, and where it stands. */
export interface Followed {
  readonly schema: JsonSchema;
  readonly place: Place;
}

const OTHER_REFS = ["$dynamicRef", "$recursiveRef"];

/** Writes a reference out: what it leads to, together with what stands beside it. One that leads back to itself is cut. */
export function follow(schema: JsonSchema, place: Place, fitting: Fitting): Followed {
  const { notes } = fitting;
  const own = without(schema, OTHER_REFS);
  if (own !== schema) notes.add("a reference that changes its meaning is left out", place.path);
  const { $ref } = own;
  if (typeof $ref !== "string") return { schema: own, place: placed(own, place, fitting) };
  const beside = without(own, ["$ref"]);
  const target = place.elsewhere ? undefined : resolveRef($ref, fitting.root);
  if (target === undefined) {
    notes.add(`the reference ${$ref} leads nowhere and is left out`, place.path);
    return { schema: beside, place };
  }
  if (place.refs.includes($ref)) return { schema: cut(target, beside, place, fitting), place };
  notes.add("references are written out", place.path);
  const further = { ...place, refs: [...place.refs, $ref] };
  const found = isSchema(target) ? target : fitting.fit(target, further);
  return follow(intersect(beside, isSchema(found) ? found : {}), further, fitting);
}

function placed(schema: JsonSchema, place: Place, { root }: Fitting): Place {
  const hasOwnAddress = typeof schema.$id === "string" && schema.$id !== root.$id;
  return hasOwnAddress ? { ...place, elsewhere: true } : place;
}

/** Holds for all that the whole would hold for. */
function cut(target: unknown, beside: JsonSchema, { path }: Place, { notes, rules }: Fitting): JsonSchema {
  notes.add("a schema that contains itself is written out once", path);
  const types = isSchema(target) ? typesOf(target) : [];
  const isObject = types.length === 1 && types[0] === "object" && isSchema(target) && target.nullable !== true;
  const rest = isObject ? { type: "object" } : anything(rules);
  const description =
    isSchema(target) && typeof target.description === "string" ? { description: target.description } : {};
  return withWords({ ...rest, ...description, ...beside }, ["Built like the one around it."]);
}
