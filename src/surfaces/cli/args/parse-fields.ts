import type { JsonSchema } from "../../../core/schema.ts";
import { nearest, suggestion } from "../../../platform/text/nearest.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { branchesOf, fieldsOf, jsonType, otherFields, typesOf, typeText } from "./schema-view.ts";

/** One field of a tool's input as it was typed: with a value, or alone. */
export interface Field {
  readonly name: string;
  readonly value?: string;
}

/** Typed fields that do not fit the tool. The message says what to type instead. */
export class InputError extends Error {}

/** How messages name a field. */
type ShownField = (name: string) => string;

/** As it is typed on the command line. */
const asOption: ShownField = (name) => `--${name}`;

type Bag = Record<string, unknown>;

/** Sets typed fields in an input, each parsed by its schema. Throws an `InputError`. */
export function applyFields(
  input: unknown,
  fields: readonly Field[],
  schema: JsonSchema,
  shown: ShownField = asOption,
): unknown {
  if (fields.length === 0) return input;
  if (jsonType(input) !== "object") {
    throw new InputError("The input is not an object, so no fields can be added to it.");
  }
  const result = { ...(input as Bag) };
  const targets = fields.map((field) => ({ field, target: find(field, schema, shown) }));
  for (const [key, same] of Map.groupBy(targets, ({ target }) => JSON.stringify(target.path))) {
    const [first] = same;
    if (first)
      setAt(
        result,
        JSON.parse(key),
        read(
          first.target,
          same.map(({ field }) => field),
          schema,
          shown,
        ),
      );
  }
  return result;
}

/** The field that a typed name refers to. */
interface Target {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  /** Whether it was typed as `no-…`. */
  readonly negated: boolean;
}

function find({ name, value }: Field, root: JsonSchema, shown: ShownField): Target {
  const target = fieldNamed(name, root);
  if (target) return { ...target, negated: false };
  if (name.startsWith("no-") && value === undefined) {
    const positive = fieldNamed(name.slice(3), root);
    if (positive && typesOf(positive.schema, root).has("boolean")) return { ...positive, negated: true };
  }
  throw unknownField(name, root, shown);
}

/** The path and the schema of a field of an input. `outer.inner` is a field of an object. Undefined if there is none. */
export function fieldNamed(name: string, schema: JsonSchema): Omit<Target, "negated"> | undefined {
  return findField(name, schema, schema);
}

/** Prefers a field with exactly this name to a path: the name of a field may contain a dot. */
function findField(name: string, schema: JsonSchema, root: JsonSchema): Omit<Target, "negated"> | undefined {
  const known = fieldsOf(schema, root);
  const whole = known.find((each) => each.name === name);
  if (whole) return { path: [name], schema: whole.schema };
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    const head = name.slice(0, dot);
    const field = known.find((each) => each.name === head)?.schema ?? otherFields(schema, head, root);
    const rest = field && findField(name.slice(dot + 1), field, root);
    if (rest) return { path: [head, ...rest.path], schema: rest.schema };
  }
  const other = otherFields(schema, name, root);
  return other && { path: [name], schema: other };
}

function unknownField(name: string, root: JsonSchema, shown: ShownField): InputError {
  const names = fieldsOf(root).map((field) => shown(field.name));
  if (names.length === 0) return new InputError(`There is no field ${shown(name)}: this tool takes no arguments.`);
  const hint = suggestion(nearest(shown(name), names)) || `There are: ${names.join(", ")}.`;
  return new InputError(`There is no field ${shown(name)}. ${hint}`);
}

function read(target: Target, fields: readonly Field[], root: JsonSchema, shown: ShownField): unknown {
  const types = typesOf(target.schema, root);
  const [first] = fields;
  const [name, last] = [shown(first?.name ?? ""), fields.at(-1)];
  if (target.negated) return false;
  if (types.has("array") && (types.size === 1 || fields.length > 1)) {
    return fields.flatMap((field) => itemsOf(field, target.schema, root, shown));
  }
  if (fields.length > 1) throw new InputError(`${name} was given ${fields.length} times; it takes one value.`);
  return parseValue(name, last?.value, target.schema, root);
}

/** One occurrence of a list: a JSON list, or one item. */
function itemsOf({ name, value }: Field, schema: JsonSchema, root: JsonSchema, shown: ShownField): unknown[] {
  const whole = value === undefined ? undefined : parseJson(value);
  if (Array.isArray(whole)) return whole;
  const list = branchesOf(schema, root).find((branch) => branch.items !== undefined);
  const items = jsonType(list?.items) === "object" ? (list?.items as JsonSchema) : {};
  return [parseValue(shown(name), value, items, root)];
}

/** `name` is the field as messages name it. */
function parseValue(name: string, text: string | undefined, schema: JsonSchema, root: JsonSchema): unknown {
  const types = typesOf(schema, root);
  if (text === undefined) {
    if (types.has("boolean")) return true;
    throw new InputError(`${name} needs a value (${typeText(schema, root)}).`);
  }
  if (types.size === 1 && types.has("string")) return text;
  const value = parseJson(text);
  if (value !== undefined && accepts(types, value)) return value;
  if (types.has("string")) return text;
  throw new InputError(`${name} takes ${typeText(schema, root)}, not ${JSON.stringify(text)}.`);
}

function accepts(types: ReadonlySet<string>, value: unknown): boolean {
  const type = jsonType(value);
  if (type === "string") return false;
  return types.has(type) || (type === "number" && types.has("integer"));
}

function parseJson(text: string): unknown {
  return tryOrUndefined(() => JSON.parse(text));
}

/** Uses `defineProperty`, because a field may be called `__proto__`. */
function setAt(into: Bag, [step = "", ...rest]: readonly string[], value: unknown): void {
  const there: unknown = Object.hasOwn(into, step) ? into[step] : undefined;
  const next = rest.length === 0 ? value : { ...(jsonType(there) === "object" ? (there as Bag) : {}) };
  if (rest.length > 0) setAt(next as Bag, rest, value);
  Object.defineProperty(into, step, { value: next, writable: true, enumerable: true, configurable: true });
}
