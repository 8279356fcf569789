import type { JsonSchema } from "../../../core/schema.ts";
import type { TemplatePart } from "../../../platform/processes/shell-words.ts";
import { nearest } from "../../../platform/text/nearest.ts";
import { isPlainObject } from "../../../platform/values/is-object.ts";
import { isWholeJsonSchema } from "../../schema/dialect.ts";
import { PluginProblem } from "./plugin-issue.ts";

const PLACEHOLDER = /\{\{\s*([^{}\s](?:[^{}]*[^{}\s])?)\s*\}\}/g;
const LOOKS_LIKE_A_NAME = /^[A-Za-z_$][\w$-]*$/;

/**
 * Splits a text at its placeholders `{{name}}`. Braces stay text if they contain neither a field nor something that
 * looks like a name: `docker ps --format '{{.Names}}'`.
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

export function placeholderNames(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.value]));
}

function unknownField(name: string, fields: ReadonlySet<string>, path: readonly (string | number)[]): PluginProblem {
  const [near] = nearest(name, fields);
  const known = [...fields].map((field) => `"${field}"`).join(", ");
  const advice = near ? `Did you mean {{${near}}}?` : known ? `It has ${known}.` : `Add "${name}" to its properties.`;
  return new PluginProblem(
    path,
    `${path.join(".")} uses {{${name}}}, which is not a property of inputSchema. ${advice}`,
  );
}

/** The properties that the schema names. */
export function inputFields(inputSchema: JsonSchema): Set<string> {
  return new Set(propertiesOf(inputSchema).map(([name]) => name));
}

/** The defaults of these properties. */
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

const MAX_DEPTH = 8;

function collect(node: unknown, root: JsonSchema, depth: number): Property[] {
  if (!isPlainObject(node) || depth > MAX_DEPTH) return [];
  const branches = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
    const list = node[keyword];
    return Array.isArray(list) ? (list as unknown[]) : [];
  });
  const name = /^#\/(\$defs|definitions)\/([^/~%]+)$/.exec(String(node.$ref));
  const group = name && root[name[1] as string];
  const referenced = isPlainObject(group) ? [group[name?.[2] as string]] : [];
  return [
    ...(isPlainObject(node.properties) ? Object.entries(node.properties) : []),
    ...[...branches, ...referenced].flatMap((each) => collect(each, root, depth + 1)),
  ];
}
