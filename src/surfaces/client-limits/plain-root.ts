import type { JsonSchema } from "../../core/schema.ts";
import { jsonText, withDescription } from "./descriptions.ts";
import { childLocation, exceedsLimits, type FitContext, type SchemaLocation } from "./fit-context.ts";
import { moveToDescription } from "./fit-keywords.ts";
import { inlineRef } from "./inline-ref.ts";
import { intersect } from "./intersect.ts";
import { asList, isEqual, isSchema, omit, stringsIn } from "./schema-values.ts";
import { unite } from "./unite.ts";

/** Beyond this number, alternatives are merged. */
const MAX_ALTERNATIVES = 32;

const COMBINED = ["allOf", "anyOf", "oneOf"];
const REFUSED = ["not", "if", "then", "else", "enum", "const"];

/** Replaces the root by one object that accepts all that the root accepts. The rest moves to the description. */
export function plainRoot(root: JsonSchema, location: SchemaLocation, context: FitContext): JsonSchema {
  const combined = ["$ref", ...COMBINED, ...REFUSED].filter((keyword) => keyword in root);
  const { changes } = context;
  if (combined.length === 0) return root;
  const choices = alternatives(root, location, context);
  const [first = {}] = choices;
  const united = choices.length > 1 ? unite(choices) : first;
  if (COMBINED.some((keyword) => keyword in root)) changes.add(combinedText(root, choices.length), location.path);
  return withDescription({ ...united, type: "object" }, choices.length > 1 ? [describeAlternatives(choices)] : []);
}

function combinedText(root: JsonSchema, count: number): string {
  if (count > 1) return `${count} alternatives are merged into one object with all fields`;
  if ("anyOf" in root || "oneOf" in root) return "alternatives are merged into one object with all fields";
  return 'the schemas in "allOf" are merged';
}

/** The alternatives of a schema, each as one object schema without combinations. */
function alternatives(schema: JsonSchema, location: SchemaLocation, context: FitContext): readonly JsonSchema[] {
  if (exceedsLimits(location, context)) {
    context.changes.add("too many alternatives: the fields of some are left out", "");
    return [{}];
  }
  const inlined = inlineRef(schema, childLocation(location), context);
  const base = plain(inlined.schema, context);
  const parts = asList(inlined.schema.allOf).filter(isSchema);
  const unions = [inlined.schema.anyOf, inlined.schema.oneOf].filter((union) => Array.isArray(union));
  const together = parts.reduce<readonly JsonSchema[]>(
    (sofar, part) => crossed(sofar, alternatives(part, inlined.location, context)),
    [base],
  );
  return unions.reduce<readonly JsonSchema[]>((sofar, union) => {
    const choices = union.flatMap((each) => choicesOf(each, inlined.location, context));
    return choices.length === 0 ? sofar : crossed(sofar, choices);
  }, together);
}

function choicesOf(each: unknown, location: SchemaLocation, context: FitContext): readonly JsonSchema[] {
  if (each === false) return [];
  return isSchema(each) ? alternatives(each, location, context) : [{}];
}

/** The schema without combinations. Keywords that are refused at the root move to the description. */
function plain(schema: JsonSchema, { changes }: FitContext): JsonSchema {
  return moveToDescription(omit(schema, COMBINED), REFUSED, { path: "", changes });
}

/** All pairs of two lists, or, if there are too many, each of the first with the union of the second. */
function crossed(some: readonly JsonSchema[], others: readonly JsonSchema[]): readonly JsonSchema[] {
  if (some.length * others.length > MAX_ALTERNATIVES) return some.map((one) => intersect(one, unite(others)));
  return some.flatMap((one) => others.map((other) => intersect(one, other)));
}

const MAX_SHOWN = 12;

/** `Send one of these: { kind: "a", path } or { kind: "b", url, depth? }.` Fields that are equal in all alternatives are omitted. */
function describeAlternatives(objects: readonly JsonSchema[]): string {
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
