import type { JsonSchema } from "../core/schema.ts";
import { isSchema } from "./schema-parts.ts";

/** What a reference leads to inside of a schema; undefined where it leads nowhere, or elsewhere. */
export function resolveRef(ref: string, root: JsonSchema): unknown {
  const pointer = withoutAddress(ref, root);
  if (pointer === "#" || pointer === "") return root;
  if (!pointer.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const step of pointer.slice(2).split("/").map(unescaped)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return typeof at === "boolean" || isSchema(at) ? at : undefined;
}

/** Whether every reference leads to a definition, which stays where it is whatever else is changed. */
export function hasPlainRefs(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(hasPlainRefs);
  if (!isSchema(schema)) return true;
  const { $ref, $dynamicRef, $recursiveRef } = schema;
  if (typeof $dynamicRef === "string" || typeof $recursiveRef === "string") return false;
  if (typeof $ref === "string" && !/^#\/(\$defs|definitions)\/[^/]+$/.test($ref)) return false;
  return Object.values(schema).every(hasPlainRefs);
}

/** Whether something that holds for fewer values when its parts hold for more has a reference in it. */
export function hasGuardedRefs(schema: unknown, guarded = false): boolean {
  if (Array.isArray(schema)) return schema.some((each) => hasGuardedRefs(each, guarded));
  if (!isSchema(schema)) return false;
  if (guarded && "$ref" in schema) return true;
  return Object.entries(schema).some(([keyword, value]) => hasGuardedRefs(value, guarded || GUARDS.includes(keyword)));
}

const GUARDS = ["not", "if", "oneOf", "contains"];

function withoutAddress(ref: string, { $id }: JsonSchema): string {
  return typeof $id === "string" && $id !== "" && ref.startsWith($id) ? ref.slice($id.length) : ref;
}

function unescaped(step: string): string {
  return percentDecoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
