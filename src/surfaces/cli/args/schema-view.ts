import type { JsonSchema } from "../../../core/schema.ts";

/** One field of an object schema. */
export interface FieldView {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The fields of an object schema, including those in `anyOf`, `oneOf` and `allOf`. */
export function fieldsOf(schema: JsonSchema, root: JsonSchema = schema): FieldView[] {
  const found = new Map<string, FieldView>();
  for (const part of partsOf(schema, root)) {
    const required = listOf(part.schema.required);
    for (const [name, value] of Object.entries(objectOf(part.schema.properties))) {
      if (found.has(name)) continue;
      const isRequired = part.always && required.includes(name);
      found.set(name, { name, schema: asSchema(value), required: isRequired });
    }
  }
  return [...found.values()];
}

/** The schema of a field that is not in `properties`; undefined if no such field is expected. */
export function otherFields(schema: JsonSchema, name: string, root: JsonSchema): JsonSchema | undefined {
  for (const { schema: part } of partsOf(schema, root)) {
    for (const [pattern, value] of Object.entries(objectOf(part.patternProperties))) {
      if (new RegExp(pattern).test(name)) return asSchema(value);
    }
    const rest = part.additionalProperties;
    if (rest === true || (typeof rest === "object" && rest !== null)) return asSchema(rest);
    if (rest === undefined && part.properties === undefined && isBareObject(part)) return {};
  }
  return undefined;
}

/** The JSON types that a schema allows; all types if it names none. */
export function typesOf(schema: JsonSchema, root: JsonSchema): ReadonlySet<string> {
  const types = new Set<string>();
  for (const branch of branchesOf(schema, root)) for (const type of ownTypes(branch)) types.add(type);
  return types;
}

/** The alternatives of a schema with references resolved; the schema itself if it has none. */
export function branchesOf(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema[] {
  const followed = follow(schema, root);
  const alternatives = [...listOf(followed.anyOf), ...listOf(followed.oneOf)];
  if (alternatives.length === 0 || depth > 8) return [followed];
  return alternatives.flatMap((each) => branchesOf(asSchema(each), root, depth + 1));
}

/** A type as a person would write it: `string`, `"a" | "b"`, `number[]`. */
export function typeText(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  const texts = branchesOf(schema, root).map((branch) => branchText(branch, root, depth));
  return [...new Set(texts)].join(" | ");
}

/** The fields of an object as a person would write them: `a: number`, `b?: string`. */
export function fieldTexts(schema: JsonSchema): string[] {
  return fieldsOf(schema).map(
    ({ name, schema: field, required }) => `${name}${required ? "" : "?"}: ${typeText(field, schema)}`,
  );
}

/** Resolves a `$ref` inside the document. A broken reference gives an empty schema. */
export function follow(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; typeof current.$ref === "string" && hops < 20; hops += 1) {
    const { $ref, ...beside } = current;
    current = { ...lookUp(String($ref), root), ...beside };
  }
  return current;
}

interface Part {
  readonly schema: JsonSchema;
  /** Whether it applies to every input, not only to one alternative. */
  readonly always: boolean;
}

function partsOf(schema: JsonSchema, root: JsonSchema, always = true, depth = 0): Part[] {
  const followed = follow(schema, root);
  if (depth > 8) return [];
  const deeper = (key: string, sure: boolean): Part[] =>
    listOf(followed[key]).flatMap((each) => partsOf(asSchema(each), root, sure, depth + 1));
  return [
    { schema: followed, always },
    ...deeper("allOf", always),
    ...deeper("anyOf", false),
    ...deeper("oneOf", false),
  ];
}

function isBareObject({ type, anyOf, oneOf, allOf }: JsonSchema): boolean {
  return type === "object" && anyOf === undefined && oneOf === undefined && allOf === undefined;
}

const ALL_TYPES = ["string", "number", "boolean", "object", "array", "null"];

function ownTypes(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type.map(String);
  if ("const" in schema) return [jsonType(schema.const)];
  if (Array.isArray(schema.enum)) return schema.enum.map(jsonType);
  if (schema.properties !== undefined) return ["object"];
  if (schema.items !== undefined) return ["array"];
  return ALL_TYPES;
}

/** The JSON type of a value. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function branchText(schema: JsonSchema, root: JsonSchema, depth: number): string {
  if ("const" in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const types = ownTypes(schema);
  if (types === ALL_TYPES) return "any";
  return types.map((type) => (type === "array" ? arrayText(schema, root, depth) : type)).join(" | ");
}

function arrayText({ items }: JsonSchema, root: JsonSchema, depth: number): string {
  if (typeof items !== "object" || items === null || depth > 3) return "array";
  const inner = typeText(asSchema(items), root, depth + 1);
  return inner.includes(" ") ? `(${inner})[]` : `${inner}[]`;
}

function lookUp(reference: string, root: JsonSchema): JsonSchema {
  if (!reference.startsWith("#")) return {};
  const steps = reference.slice(1).split("/").slice(1);
  let at: unknown = root;
  for (const step of steps) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = objectOf(at)[key];
  }
  return asSchema(at);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function asSchema(value: unknown): JsonSchema {
  return objectOf(value);
}
