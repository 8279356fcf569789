import type { JsonSchema } from "../../core/schema.ts";
import { jsonText } from "./descriptions.ts";
import { isEqual, isSchema, stringsIn } from "./schema-values.ts";

const MAX_SHOWN = 12;

/** `Send one of these: { kind: "a", path } or { kind: "b", url, depth? }.` Fields that are equal in all alternatives are omitted. */
export function describeAlternatives(objects: readonly JsonSchema[]): string {
  const described = objects.slice(0, MAX_SHOWN).map(fieldsOf);
  const [first = [], ...others] = described;
  const common = first.filter((field) => others.every((other) => other.some((each) => isEqual(each, field))));
  const shown = [...new Set(described.map((fields) => objectText(fields, common)))];
  if (shown.length < 2) return "";
  const more = objects.length > MAX_SHOWN ? [`${objects.length - MAX_SHOWN} others`] : [];
  const all = [...shown, ...more];
  return `Send one of these: ${all.slice(0, -1).join(", ")} or ${all.at(-1)}.`;
}

interface Field {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function fieldsOf({ properties, required }: JsonSchema): readonly Field[] {
  const needed = stringsIn(required);
  const named = isSchema(properties) ? properties : {};
  const unnamed = needed.filter((name) => !Object.hasOwn(named, name)).map((name) => [name, true] as const);
  return [...Object.entries(named), ...unnamed].map(([name, schema]) => ({
    name,
    schema,
    isRequired: needed.includes(name),
  }));
}

function objectText(fields: readonly Field[], common: readonly Field[]): string {
  const own = fields.filter((field) => !common.some((each) => isEqual(each, field))).map(fieldText);
  return own.length === 0 ? "{}" : `{ ${own.join(", ")} }`;
}

function fieldText({ name, schema, isRequired }: Field): string {
  const value = isSchema(schema) && schema.const !== undefined ? `: ${jsonText(schema.const)}` : "";
  return `${name}${isRequired ? "" : "?"}${value}`;
}
