import { isObject } from "../../../src/platform/values/is-object.ts";

/** The input of a tool as a TypeScript type, short enough for one line or a few. */
export function signatureOf(schema: unknown): string {
  return typeText(schema, schema, 0, []);
}

const MOST_LEVELS = 2;
const MOST_CHOICES = 6;

function typeText(schema: unknown, root: unknown, level: number, seen: readonly string[]): string {
  if (!isObject(schema)) return schema === false ? "never" : "unknown";
  if (typeof schema.$ref === "string") {
    if (seen.includes(schema.$ref)) return "…";
    const target = resolvePointer(root, schema.$ref);
    return target === undefined ? "unknown" : typeText(target, root, level, [...seen, schema.$ref]);
  }
  if ("const" in schema) return short(JSON.stringify(schema.const) ?? "unknown");
  if (Array.isArray(schema.enum)) return choices(schema.enum.map((value) => short(JSON.stringify(value) ?? "unknown")));
  for (const key of ["anyOf", "oneOf"] as const) {
    const options = schema[key];
    if (Array.isArray(options)) return choices(options.map((option) => typeText(option, root, level, seen)));
  }
  if (Array.isArray(schema.allOf))
    return [...new Set(schema.allOf.map((part) => typeText(part, root, level, seen)))].join(" & ");
  if (Array.isArray(schema.type))
    return choices(schema.type.map((type) => typeText({ ...schema, type }, root, level, seen)));
  if (schema.type === "array" || "items" in schema) return arrayText(typeText(schema.items, root, level + 1, seen));
  if (schema.type === "object" || isObject(schema.properties)) return objectText(schema, root, level, seen);
  if (schema.type === "integer") return "number";
  return typeof schema.type === "string" ? schema.type : "unknown";
}

function objectText(schema: Fields, root: unknown, level: number, seen: readonly string[]): string {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  if (properties.length === 0) {
    const values = schema.additionalProperties;
    return isObject(values) ? `Record<string, ${typeText(values, root, level + 1, seen)}>` : "{}";
  }
  if (level >= MOST_LEVELS) return "{ … }";
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = properties.map(([name, value]) => {
    const key = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name);
    return `${key}${required.includes(name) ? "" : "?"}: ${typeText(value, root, level + 1, seen)}`;
  });
  return `{ ${fields.join("; ")} }`;
}

function arrayText(item: string): string {
  return /^[\w"]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function choices(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  const shown = unique.slice(0, MOST_CHOICES);
  return unique.length === 0 ? "never" : [...shown, ...(unique.length > shown.length ? ["…"] : [])].join(" | ");
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

export type Fields = { readonly [key: string]: unknown };

/** The part of a document that a reference such as `#/$defs/a` names. Only own properties are followed. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let value: unknown = root;
  for (const part of reference.slice(2).split("/")) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Fields)[key];
  }
  return value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
