import type { JsonSchema } from "../../core/schema.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { isSchema } from "./schema-values.ts";

/** The target of a reference inside the root schema; undefined if there is none. */
export function resolveRef(ref: string, root: JsonSchema): unknown {
  const pointer = withoutBase(ref, root);
  if (pointer === "#" || pointer === "") return root;
  if (!pointer.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const step of pointer.slice(2).split("/").map(unescaped)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return typeof at === "boolean" || isSchema(at) ? at : undefined;
}

/** Whether every reference points to a definition, whose location fitting does not change. */
export function hasOnlyDefinitionRefs(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(hasOnlyDefinitionRefs);
  if (!isSchema(schema)) return true;
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  if (typeof $dynamicRef === "string" || typeof $recursiveRef === "string") return false;
  if (typeof $ref === "string" && !/^#\/(\$defs|definitions)\/[^/]+$/.test($ref)) return false;
  return Object.values(schema).every(hasOnlyDefinitionRefs);
}

/** Whether a keyword that accepts less when its children accept more, such as `not`, contains a reference. */
export function hasInvertedRefs(schema: unknown, inverted = false): boolean {
  if (Array.isArray(schema)) return schema.some((each) => hasInvertedRefs(each, inverted));
  if (!isSchema(schema)) return false;
  if (inverted && "$ref" in schema) return true;
  return Object.entries(schema).some(([keyword, value]) =>
    hasInvertedRefs(value, inverted || INVERTING.includes(keyword)),
  );
}

const INVERTING = ["not", "if", "oneOf", "contains"];

function withoutBase(ref: string, { $id }: JsonSchema): string {
  return typeof $id === "string" && $id !== "" && ref.startsWith($id) ? ref.slice($id.length) : ref;
}

function unescaped(step: string): string {
  const decoded = tryOrUndefined(() => decodeURIComponent(step)) ?? step;
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~");
}
