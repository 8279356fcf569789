import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../../core/schema.ts";
import type { AnyObject } from "../../platform/values/is-object.ts";
import { toPlainJson } from "./json-copy.ts";
import { compileJson, refuseUnknownTypes } from "./json-schema.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import type { MutableSchema } from "./walk-schema.ts";
import { escapeStep, walkSchema } from "./walk-schema.ts";

/** The JSON Schema fields of a raw shape as one object. A field is required unless it has a default. */
export function jsonObject(fields: AnyObject): LazySchema {
  const definitions: MutableSchema = {};
  const properties: MutableSchema = {};
  for (const name of Object.keys(fields)) properties[name] = hoist(name, toPlainJson(fields[name]), definitions);
  const required = Object.keys(properties).filter((name) => !("default" in (properties[name] as object)));
  const json: JsonSchema = {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
  refuseUnknownTypes(json);
  return lazySchema(json, () => compileJson(json));
}

/** Moves the definitions of a field to the root, and rewrites its references, which were relative to the field. */
function hoist(field: string, fragment: MutableSchema, definitions: MutableSchema): MutableSchema {
  if ("$id" in fragment) return fragment;
  const { $defs, definitions: old, $schema: _, ...rest } = fragment;
  const own = { ...(old as object | undefined), ...($defs as object | undefined) } as MutableSchema;
  const names = new Map(Object.keys(own).map((name) => [name, freeName(name, field, own[name], definitions)]));
  const rewriteRef = (node: MutableSchema): void => {
    if (typeof node.$ref === "string") node.$ref = rebase(node.$ref, field, names);
  };
  walkSchema(rest, rewriteRef);
  for (const [name, free] of names) {
    walkSchema(own[name], rewriteRef);
    definitions[free] = own[name];
  }
  return rest;
}

function freeName(name: string, field: string, definition: unknown, taken: MutableSchema): string {
  const isFree = !Object.hasOwn(taken, name) || isDeepStrictEqual(taken[name], definition);
  return isFree ? name : `${field}_${name}`;
}

function rebase(ref: string, field: string, names: ReadonlyMap<string, string>): string {
  if (!ref.startsWith("#")) return ref;
  const [, name, rest = ""] = /^#\/(?:\$defs|definitions)\/([^/]+)(.*)$/.exec(ref) ?? [];
  const hoisted = name === undefined ? undefined : names.get(name);
  return hoisted === undefined ? `#/properties/${escapeStep(field)}${ref.slice(1)}` : `#/$defs/${hoisted}${rest}`;
}
