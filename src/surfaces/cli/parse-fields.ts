import type { JsonSchema } from "../../core/schema.ts";
import type { Field } from "./command.ts";
import { branchesOf, fieldsOf, jsonType, otherFields, typesOf, typeText } from "./schema-view.ts";
import { didYouMean, UsageError } from "./usage-error.ts";

type Bag = Record<string, unknown>;

/** Sets typed fields in an input, each parsed by its schema. Throws a `UsageError`. */
export function applyFields(input: unknown, fields: readonly Field[], schema: JsonSchema): unknown {
  if (fields.length === 0) return input;
  if (jsonType(input) !== "object") {
    throw new UsageError("The input is not an object, so no fields can be added to it.", "invalid_input");
  }
  const result = { ...(input as Bag) };
  const targets = fields.map((field) => ({ field, target: find(field, schema) }));
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
        ),
      );
  }
  return result;
}

/** The field that a typed name refers to. */
interface Target {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  /** Whether it was typed as `--no-…`. */
  readonly negated: boolean;
}

function find({ name, value }: Field, root: JsonSchema): Target {
  const target = findField(name, root, root);
  if (target) return { ...target, negated: false };
  if (name.startsWith("no-") && value === undefined) {
    const positive = findField(name.slice(3), root, root);
    if (positive && typesOf(positive.schema, root).has("boolean")) return { ...positive, negated: true };
  }
  throw unknownField(name, root);
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

function unknownField(name: string, root: JsonSchema): UsageError {
  const names = fieldsOf(root).map((field) => `--${field.name}`);
  if (names.length === 0)
    return new UsageError(`There is no field --${name}: this tool takes no arguments.`, "invalid_input");
  const hint = didYouMean(`--${name}`, names, `There are: ${names.join(", ")}.`);
  return new UsageError(`There is no field --${name}. ${hint}`, "invalid_input");
}

function read(target: Target, fields: readonly Field[], root: JsonSchema): unknown {
  const types = typesOf(target.schema, root);
  const [first] = fields;
  const [name, last] = [first?.name ?? "", fields.at(-1)];
  if (target.negated) return false;
  if (types.has("array") && (types.size === 1 || fields.length > 1)) {
    return fields.flatMap((field) => itemsOf(field, target.schema, root));
  }
  if (fields.length > 1)
    throw new UsageError(`--${name} was given ${fields.length} times; it takes one value.`, "invalid_input");
  return parseValue(name, last?.value, target.schema, types, root);
}

/** One occurrence of a list: a JSON list, or one item. */
function itemsOf({ name, value }: Field, schema: JsonSchema, root: JsonSchema): unknown[] {
  const whole = value === undefined ? undefined : parseJson(value);
  if (Array.isArray(whole)) return whole;
  const list = branchesOf(schema, root).find((branch) => branch.items !== undefined);
  const items = jsonType(list?.items) === "object" ? (list?.items as JsonSchema) : {};
  return [parseValue(name, value, items, typesOf(items, root), root)];
}

function parseValue(
  name: string,
  text: string | undefined,
  schema: JsonSchema,
  types: ReadonlySet<string>,
  root: JsonSchema,
): unknown {
  if (text === undefined) {
    if (types.has("boolean")) return true;
    throw new UsageError(`--${name} needs a value (${typeText(schema, root)}).`, "invalid_input");
  }
  if (types.size === 1 && types.has("string")) return text;
  const value = parseJson(text);
  if (value !== undefined && accepts(types, value)) return value;
  if (types.has("string")) return text;
  throw new UsageError(`--${name} takes ${typeText(schema, root)}, not ${JSON.stringify(text)}.`, "invalid_input");
}

function accepts(types: ReadonlySet<string>, value: unknown): boolean {
  const type = jsonType(value);
  if (type === "string") return false;
  return types.has(type) || (type === "number" && types.has("integer"));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Uses `defineProperty`, because a field may be called `__proto__`. */
function setAt(into: Bag, [step = "", ...rest]: readonly string[], value: unknown): void {
  const there: unknown = Object.hasOwn(into, step) ? into[step] : undefined;
  const next = rest.length === 0 ? value : { ...(jsonType(there) === "object" ? (there as Bag) : {}) };
  if (rest.length > 0) setAt(next as Bag, rest, value);
  Object.defineProperty(into, step, { value: next, writable: true, enumerable: true, configurable: true });
}
