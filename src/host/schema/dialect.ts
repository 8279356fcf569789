import { type AnyObject, isObjectOrFunction, isPlainObject } from "../../platform/values/is-object.ts";
/** The library, and its major version, that a schema was written with. */
export type Dialect = "zod4" | "zod3" | "typebox1" | "typebox0" | "standard" | "json";

/** Whether a schema describes the input or the output of a tool. Transforms and defaults make these differ. */
export type Side = "input" | "output";

/** The types that JSON Schema knows. */
export const JSON_TYPES: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** TypeBox 0.x marks its schemas with these registered symbols. */
export const TYPEBOX0_KIND: symbol = Symbol.for("TypeBox.Kind");
export const TYPEBOX0_OPTIONAL: symbol = Symbol.for("TypeBox.Optional");

/** The dialect of a library's schema; undefined for plain objects and other values. */
export function libraryOf(value: unknown): Exclude<Dialect, "json"> | undefined {
  if (!isObjectOrFunction(value)) return undefined;
  if (isObjectOrFunction(value._zod)) return "zod4";
  if (isObjectOrFunction(value._def) && typeof value._def.typeName === "string") return "zod3";
  if (typeof value["~kind"] === "string") return "typebox1";
  if (TYPEBOX0_KIND in value) return "typebox0";
  if (isObjectOrFunction(value["~standard"]) && typeof value["~standard"].validate === "function") return "standard";
  return undefined;
}

/**
 * Whether a plain object is a whole JSON Schema, and not a shape of fields. A shape has only schemas as values, so
 * `{ type: "object" }` is a schema and `{ type: { type: "string" } }` a shape with a field called "type".
 */
export function isWholeJsonSchema(value: AnyObject): boolean {
  if (["type", "$schema", "$ref"].some((keyword) => typeof value[keyword] === "string")) return true;
  if (["type", "required", "anyOf", "oneOf", "allOf", "enum"].some((keyword) => Array.isArray(value[keyword])))
    return true;
  const properties = value.properties;
  return isPlainObject(properties) && !isFragment(properties) && Object.values(properties).every(isFragment);
}

/** Whether a value can be the JSON Schema of one field: `{}`, or an object with a known keyword of the right type. */
export function isFragment(value: unknown): value is AnyObject {
  if (!isPlainObject(value) || libraryOf(value) !== undefined) return false;
  const keys = Object.keys(value);
  return keys.length === 0 || keys.some((key) => KEYWORDS.get(key)?.(value[key]) ?? false);
}

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isList = (value: unknown): boolean => Array.isArray(value);

/** Enough keywords to tell a schema from nested fields, whose values are objects. */
const KEYWORDS: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ["type", (value) => isText(value) || isList(value)],
  ["const", () => true],
  ["default", (value) => !isPlainObject(value) || Object.keys(value).length === 0],
  ...["enum", "anyOf", "oneOf", "allOf"].map((keyword) => [keyword, isList] as const),
  ...["$ref", "$schema", "$id", "description", "title", "format", "pattern"].map(
    (keyword) => [keyword, isText] as const,
  ),
  ...["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"].map(
    (keyword) => [keyword, isNumber] as const,
  ),
  ...["items", "properties", "not"].map((keyword) => [keyword, isPlainObject] as const),
]);

/** Whether a name is a type that JSON Schema knows. */
export function isJsonType(name: unknown): boolean {
  return typeof name === "string" && JSON_TYPES.includes(name);
}
