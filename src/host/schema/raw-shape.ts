import { isDeepStrictEqual } from "node:util";
import type { Checked, JsonSchema } from "../../core/schema.ts";
import { type AnyObject, isPlainObject } from "../../platform/values/is-object.ts";
import { type Dialect, isFragment, libraryOf, type Side } from "./dialect.ts";
import { typeName } from "./issue-text.ts";
import { jsonObject } from "./json-fragments.ts";
import { type LazySchema, lazySchema } from "./lazy-schema.ts";
import { SchemaProblem } from "./schema-problem.ts";
import type { SchemaCheck } from "./slow-check.ts";
import { typeboxObject } from "./typebox.ts";
import type { MutableSchema } from "./walk-schema.ts";
import { walkSchema } from "./walk-schema.ts";
import { zod3Object } from "./zod3.ts";
import { zod4Object } from "./zod4.ts";

/** The fields of one dialect, and the object schema of these fields. */
interface Part {
  readonly names: readonly string[];
  readonly schema: LazySchema;
}

/**
 * Converts a raw shape, `{ field: schema }`, to one object schema. The fields of each dialect become one object, and the
 * objects are merged. Keys that the shape does not name are dropped.
 */
export async function shapeSchema(shape: AnyObject, side: Side = "input"): Promise<LazySchema> {
  const groups = groupFields(shape);
  const parts = await Promise.all([...groups].map(([dialect, fields]) => toPart(dialect, fields, side)));
  const [only] = parts;
  if (only && parts.length === 1 && (groups.has("zod4") || groups.has("zod3"))) return only.schema;
  return lazySchema(mergeJson(parts, Object.keys(shape)), () => compileParts(parts));
}

function groupFields(shape: AnyObject): Map<Dialect, Record<string, unknown>> {
  const groups = new Map<Dialect, Record<string, unknown>>();
  for (const name of Object.keys(shape)) {
    const dialect = fieldDialect(name, shape[name]);
    const fields = groups.get(dialect) ?? {};
    groups.set(dialect, fields);
    fields[name] = shape[name];
  }
  return groups;
}

async function toPart(dialect: Dialect, fields: AnyObject, side: Side): Promise<Part> {
  return { names: Object.keys(fields), schema: await toObject(dialect, fields, side) };
}

function toObject(dialect: Dialect, fields: AnyObject, side: Side): LazySchema | Promise<LazySchema> {
  if (dialect === "zod4") return zod4Object(fields, side);
  if (dialect === "zod3") return zod3Object(fields, side);
  if (dialect === "typebox1" || dialect === "typebox0") return typeboxObject(fields, dialect, side);
  return jsonObject(fields);
}

async function compileParts(parts: readonly Part[]): Promise<SchemaCheck> {
  const checks = await Promise.all(parts.map(async ({ names, schema }) => ({ names, check: await schema.compile() })));
  return async (input) => {
    if (!isPlainObject(input)) {
      return { ok: false, issues: [{ path: "", message: `expected object, received ${typeName(input)}` }] };
    }
    const results: Checked[] = [];
    for (const { names, check } of checks) results.push(await check(pick(input, names)));
    const issues = results.flatMap((result) => (result.ok ? [] : result.issues));
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, value: Object.assign({}, ...results.map((result) => (result.ok ? result.value : {}))) };
  };
}

function pick(input: AnyObject, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]));
}

function mergeJson(parts: readonly Part[], order: readonly string[]): JsonSchema {
  const properties: MutableSchema = {};
  const definitions: MutableSchema = {};
  const required = new Set<string>();
  for (const { schema } of parts) {
    const json = withFreeNames(schema.json, definitions);
    Object.assign(properties, json.properties);
    Object.assign(definitions, json.$defs);
    for (const name of (json.required ?? []) as string[]) required.add(name);
  }
  return {
    type: "object",
    properties: Object.fromEntries(order.map((name) => [name, properties[name] ?? {}])),
    ...(required.size > 0 ? { required: order.filter((name) => required.has(name)) } : {}),
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
}

/** Renames definitions whose name another dialect uses for a different definition. */
function withFreeNames(json: JsonSchema, taken: MutableSchema): JsonSchema {
  const own = (json.$defs ?? {}) as MutableSchema;
  const clashes = Object.keys(own).filter(
    (name) => Object.hasOwn(taken, name) && !isDeepStrictEqual(own[name], taken[name]),
  );
  if (clashes.length === 0) return json;
  const copy = structuredClone(json) as MutableSchema;
  const renamed = (name: string): string => (clashes.includes(name) ? `${name}_2` : name);
  walkSchema(copy, (node) => {
    if (typeof node.$ref !== "string") return;
    node.$ref = node.$ref.replace(/^#\/\$defs\/([^/]+)/, (_, name: string) => `#/$defs/${renamed(name)}`);
  });
  copy.$defs = Object.fromEntries(
    Object.entries(copy.$defs as MutableSchema).map(([name, def]) => [renamed(name), def]),
  );
  return copy;
}

function fieldDialect(field: string, value: unknown): Dialect {
  if (field === "__proto__") throw new SchemaProblem('A field cannot be called "__proto__". Rename it.', { field });
  const dialect = libraryOf(value) ?? (isFragment(value) ? "json" : undefined);
  if (dialect !== undefined && dialect !== "standard") return dialect;
  throw new SchemaProblem(`Field "${field}" ${adviceFor(value, dialect)}`, { field });
}

function adviceFor(value: unknown, dialect: Dialect | undefined): string {
  if (dialect === "standard") {
    return "is a schema of a library that is not supported for single fields. Write one object schema of that library instead.";
  }
  if (typeof value === "function") return "is a function, not a schema. Call it: z.string(), not z.string.";
  if (isPlainObject(value)) {
    return 'is a plain object that is not a schema. For nested fields write z.object({ … }) or { type: "object", properties: { … } }.';
  }
  return `is not a schema but ${value === undefined ? "undefined" : `a value of type ${typeName(value)}`}. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.`;
}
