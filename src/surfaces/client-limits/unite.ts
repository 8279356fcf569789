import type { JsonSchema } from "../../core/schema.ts";
import { ANNOTATIONS, asList, distinct, isEqual, isSchema, omit, stringsIn } from "./schema-values.ts";

/**
 * A schema that accepts every object that one of several schemas accepts. A field that only some of them describe must match
 * these, even if another schema would accept any value for it.
 */
export function unite(objects: readonly JsonSchema[]): JsonSchema {
  const properties = unitedProperties(objects);
  const required = requiredByAll(objects);
  return {
    ...inAll(objects),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...otherFields(objects),
  };
}

/** The keywords that are equal in all, and the definitions. */
function inAll(objects: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = objects;
  const alike = Object.entries(first).filter(
    ([keyword, value]) => DEFINITIONS.includes(keyword) || others.every((other) => isEqual(other[keyword], value)),
  );
  return omit(Object.fromEntries(alike), ["properties", "required", "additionalProperties", ...UNEVALUATED]);
}

const DEFINITIONS = ["$defs", "definitions"];
const UNEVALUATED = ["unevaluatedProperties", "unevaluatedItems"];

function unitedProperties(objects: readonly JsonSchema[]): JsonSchema {
  const names = new Set(objects.flatMap(({ properties }) => (isSchema(properties) ? Object.keys(properties) : [])));
  return Object.fromEntries(
    [...names].map((name) => [name, unitedField(objects.flatMap((each) => schemasOf(each, name)))]),
  );
}

function schemasOf({ properties, additionalProperties }: JsonSchema, name: string): readonly unknown[] {
  if (isSchema(properties) && Object.hasOwn(properties, name)) return [properties[name]];
  return isSchema(additionalProperties) ? [additionalProperties] : [];
}

function unitedField(schemas: readonly unknown[]): unknown {
  const [first, ...others] = distinct(schemas.filter((schema) => schema !== false));
  if (others.length === 0) return first ?? {};
  return choice([first, ...others]) ?? { ...commonDescription([first, ...others]), anyOf: [first, ...others] };
}

/** Merges schemas that have only `const` or `enum` into one `enum`. */
function choice(schemas: readonly unknown[]): JsonSchema | undefined {
  const values = schemas.map(valuesOf);
  if (values.some((each) => each === undefined)) return undefined;
  const types = distinct(schemas.map((schema) => (schema as JsonSchema).type));
  return {
    ...(types.length === 1 && types[0] !== undefined ? { type: types[0] } : {}),
    enum: distinct(values.flatMap((each) => each ?? [])),
    ...commonDescription(schemas),
  };
}

function valuesOf(schema: unknown): readonly unknown[] | undefined {
  if (!isSchema(schema)) return undefined;
  const { const: one, enum: some, ...rest } = omit(schema, ["type", ...ANNOTATIONS]);
  if (Object.keys(rest).length > 0 || (one !== undefined && some !== undefined)) return undefined;
  return one !== undefined ? [one] : Array.isArray(some) ? asList(some) : undefined;
}

function commonDescription(schemas: readonly unknown[]): JsonSchema {
  const descriptions = distinct(schemas.map((schema) => (isSchema(schema) ? schema.description : undefined)));
  return descriptions.length === 1 && typeof descriptions[0] === "string" ? { description: descriptions[0] } : {};
}

function requiredByAll(objects: readonly JsonSchema[]): readonly string[] {
  const [first = [], ...others] = objects.map(({ required }) => stringsIn(required));
  return first.filter((name) => others.every((other) => other.includes(name)));
}

function otherFields(objects: readonly JsonSchema[]): JsonSchema {
  const patterns = distinct(objects.map(({ patternProperties }) => patternProperties));
  const others = distinct(objects.map(({ additionalProperties = true }) => additionalProperties));
  if (patterns.length > 1 || others.includes(true)) return {};
  const schemas = others.filter((other) => other !== false);
  if (schemas.length === 0) return { additionalProperties: false };
  return { additionalProperties: schemas.length === 1 ? schemas[0] : { anyOf: schemas } };
}
