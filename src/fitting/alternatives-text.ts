import type { JsonSchema } from "../core/schema.ts";
import { isSchema, same, textsIn } from "./schema-parts.ts";
import { text } from "./words.ts";

const MOST_SHOWN = 12;

/** `Send one of these: { kind: "a", path } or { kind: "b", url, depth? }.` Fields that are the same in all are not named. */
export function alternativesText(objects: readonly JsonSchema[]): string {
  const told = objects.slice(0, MOST_SHOWN).map(fieldsOf);
  const [first = [], ...others] = told;
  const common = first.filter((field) => others.every((other) => other.some((each) => same(each, field))));
  const shown = [...new Set(told.map((fields) => objectText(fields, common)))];
  if (shown.length < 2) return "";
  const more = objects.length > MOST_SHOWN ? [`${objects.length - MOST_SHOWN} others`] : [];
  const all = [...shown, ...more];
  return `Send one of these: ${all.slice(0, -1).join(", ")} or ${all.at(-1)}.`;
}

interface Field {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function fieldsOf({ properties, required }: JsonSchema): readonly Field[] {
  const needed = textsIn(required);
  const named = isSchema(properties) ? properties : {};
  const unnamed = needed.filter((name) => !Object.hasOwn(named, name)).map((name) => [name, true] as const);
  return [...Object.entries(named), ...unnamed].map(([name, schema]) => ({
    name,
    schema,
    isRequired: needed.includes(name),
  }));
}

function objectText(fields: readonly Field[], common: readonly Field[]): string {
  const own = fields.filter((field) => !common.some((each) => same(each, field))).map(fieldText);
  return own.length === 0 ? "{}" : `{ ${own.join(", ")} }`;
}

function fieldText({ name, schema, isRequired }: Field): string {
  const value = isSchema(schema) && schema.const !== undefined ? `: ${text(schema.const)}` : "";
  return `${name}${isRequired ? "" : "?"}${value}`;
}
