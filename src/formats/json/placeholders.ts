import { isPlainObject } from "../../core/is-object.ts";
import { nearest } from "../../core/nearest.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { TemplatePart } from "../../process/shell-words.ts";
import { isWholeJsonSchema } from "../../schema/dialect.ts";
import { PluginProblem } from "./plugin-issue.ts";

const PLACEHOLDER = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;
const LOOKS_LIKE_A_NAME = /^[A-Za-z_$][\w$-]*$/;

/**
 * A text with `{{name}}` in it, in pieces. Braces around what is neither a field nor looks like the name of one stay
 * text: `docker ps --format '{{.Names}}'`.
 */
export function readPlaceholders(
  text: string,
  fields: ReadonlySet<string>,
  path: readonly (string | number)[],
): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = "", index } of text.matchAll(PLACEHOLDER)) {
    if (!fields.has(name)) {
      if (LOOKS_LIKE_A_NAME.test(name)) throw unknownField(name, fields, path);
      continue;
    }
    if (index > end) parts.push(text.slice(end, index));
    parts.push({ value: name });
    end = index + whole.length;
  }
  return end < text.length ? [...parts, text.slice(end)] : parts;
}

/** The names of the placeholders in a text. */
export function namesIn(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.value]));
}

function unknownField(name: string, fields: ReadonlySet<string>, path: readonly (string | number)[]): PluginProblem {
  const [near] = nearest(name, fields);
  const known = [...fields].map((field) => `"${field}"`).join(", ");
  const advice = near ? `Did you mean {{${near}}}?` : known ? `It has ${known}.` : `Add "${name}" to its properties.`;
  return new PluginProblem(path, `${path.join(".")} uses {{${name}}}, which is no property of inputSchema. ${advice}`);
}

/** The names that an input may have, as far as its schema says. */
export function fieldsOf(inputSchema: JsonSchema): Set<string> {
  return new Set(propertiesOf(inputSchema).map(([name]) => name));
}

/** The values that the schema of an input gives to what is left out. */
export function defaultsOf(inputSchema: JsonSchema): Map<string, unknown> {
  return new Map(
    propertiesOf(inputSchema).flatMap(([name, schema]) =>
      isPlainObject(schema) && schema.default !== undefined ? [[name, schema.default]] : [],
    ),
  );
}

type Property = readonly [name: string, schema: unknown];

function propertiesOf(inputSchema: JsonSchema): Property[] {
  return isWholeJsonSchema(inputSchema) ? collect(inputSchema, inputSchema, 0) : Object.entries(inputSchema);
}

const DEEPEST = 8;

function collect(node: unknown, root: JsonSchema, depth: number): Property[] {
  if (!isPlainObject(node) || depth > DEEPEST) return [];
  const branches = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const list = node[keyword];
    return Array.isArray(list) ? (list as unknown[]) : [];
  });
  const name = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(node.$ref));
  const group = name && root[name[1] as string];
  const referred = isPlainObject(group) ? [group[name?.[2] as string]] : [];
  return [
    ...(isPlainObject(node.properties) ? Object.entries(node.properties) : []),
    ...[...branches, ...referred].flatMap((each) => collect(each, root, depth + 1)),
  ];
}
