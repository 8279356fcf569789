import { messageOf } from "../../core/error.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { isPlainObject } from "../../platform/values/is-object.ts";
import type { Side } from "./dialect.ts";
import { SchemaProblem } from "./schema-problem.ts";
import type { MutableSchema } from "./walk-schema.ts";

/** A schema as plain JSON, without symbols and functions of libraries. */
export function toPlainJson(schema: unknown): MutableSchema {
  try {
    return JSON.parse(JSON.stringify(schema)) as MutableSchema;
  } catch (cause) {
    throw new SchemaProblem(
      `The schema cannot be written as JSON: ${messageOf(cause)}. Use $ref for recursion, and only JSON values.`,
      {
        cause,
      },
    );
  }
}

/**
 * A deep copy of an input. Keys called `__proto__` are dropped: copying one would replace a prototype. Values that are not
 * plain data are not copied.
 */
export function copyInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyInput);
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) if (key !== "__proto__") copy[key] = copyInput(value[key]);
  return copy;
}

/** Adds `type: "object"` to the root. Throws `SchemaProblem` if the schema describes something else. */
function withObjectRoot(json: JsonSchema): JsonSchema {
  if (json.type === "object") return json;
  if (describesObject(json, json, 0)) return { ...json, type: "object" };
  throw new SchemaProblem(
    `The schema describes ${nameOf(json.type)}, but the arguments of a tool are an object with named fields. Put it in a field: { value: … }.`,
  );
}

/** The schema with a valid root: an object for an input, anything for an output. */
export function rootFor(json: JsonSchema, side: Side): JsonSchema {
  if (side === "input") return withObjectRoot(json);
  return json.type === undefined && isSurelyObject(json, json, 0) ? { ...json, type: "object" } : json;
}

function isSurelyObject(node: unknown, root: JsonSchema, depth: number): boolean {
  if (!isPlainObject(node) || depth > 20) return false;
  const { type, $ref, anyOf, oneOf, allOf, properties } = node;
  if (type !== undefined) return type === "object";
  const inner = (part: unknown): boolean => isSurelyObject(part, root, depth + 1);
  if (typeof $ref === "string") return $ref.startsWith("#/") && inner(resolve(root, $ref));
  if (Array.isArray(allOf) && allOf.some(inner)) return true;
  const branches = Array.isArray(anyOf) ? anyOf : oneOf;
  return Array.isArray(branches) ? branches.length > 0 && branches.every(inner) : isPlainObject(properties);
}

function describesObject(node: unknown, root: JsonSchema, depth: number): boolean {
  if (!isPlainObject(node) || depth > 20) return node === true;
  const { type, $ref, anyOf, oneOf, allOf } = node;
  if (type !== undefined) return type === "object" || (Array.isArray(type) && type.includes("object"));
  if (typeof $ref === "string") return !$ref.startsWith("#/") || describesObject(resolve(root, $ref), root, depth + 1);
  const inner = (part: unknown): boolean => describesObject(part, root, depth + 1);
  if (Array.isArray(allOf)) return allOf.every(inner);
  const branches = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(branches)) return branches.some(inner);
  return !Array.isArray(node.enum) && !("const" in node);
}

function resolve(root: JsonSchema, ref: string): unknown {
  const steps = decodeURIComponent(ref.slice(2)).split("/");
  return steps.reduce<unknown>((node, step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof node === "object" && node !== null && Object.hasOwn(node, key)
      ? (node as MutableSchema)[key]
      : undefined;
  }, root);
}

function nameOf(type: unknown): string {
  return typeof type === "string" ? `a value of type "${type}"` : "no object";
}
