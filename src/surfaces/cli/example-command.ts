import type { JsonSchema } from "../../core/schema.ts";
import { GLOBAL_OPTIONS } from "./command.ts";
import { branchesOf, type FieldView, fieldsOf, jsonType, typesOf } from "./schema-view.ts";
import { shellWord } from "./shell-word.ts";

/** Options of `run`: fields of these names must come after `--`. */
const RUN_OPTIONS: readonly string[] = ["input", "timeout", "session"];

/** A command line that calls the tool, with plausible values for the required arguments. */
export function exampleCommand({ name, inputSchema }: { name: string; inputSchema: JsonSchema }): string {
  const needed = fieldsOf(inputSchema).filter(({ required }) => required);
  const isOurs = (field: FieldView): boolean => field.name in GLOBAL_OPTIONS || RUN_OPTIONS.includes(field.name);
  const words = (fields: readonly FieldView[]): string[] => fields.map((field) => fieldWords(field, inputSchema));
  const hidden = needed.filter(isOurs);
  return [
    `toolwright run ${name}`,
    ...words(needed.filter((field) => !isOurs(field))),
    ...(hidden.length > 0 ? ["--", ...words(hidden)] : []),
  ].join(" ");
}

/** Plausible values for the required arguments. */
export function exampleInput(inputSchema: JsonSchema): Record<string, unknown> {
  const needed = fieldsOf(inputSchema).filter(({ required }) => required);
  return Object.fromEntries(needed.map(({ name, schema }) => [name, sample(schema, inputSchema)]));
}

function fieldWords({ name, schema }: FieldView, root: JsonSchema): string {
  const value = sample(schema, root);
  const option = shellWord(`--${name}`);
  if (value === true) return option;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.startsWith("--") ? `${option}=${shellWord(text)}` : `${option} ${shellWord(text)}`;
}

function sample(schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const [branch = {}] = branchesOf(schema, root);
  const suggested = [schema, branch].flatMap(suggestions);
  if (suggested.length > 0) return suggested[0];
  const [type = "string"] = typesOf(branch, root);
  if (depth > 4) return null;
  switch (type) {
    case "number":
    case "integer":
      return typeof branch.minimum === "number" ? branch.minimum : 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return jsonType(branch.items) === "object" ? [sample(branch.items as JsonSchema, root, depth + 1)] : [];
    case "object":
      return Object.fromEntries(
        fieldsOf(branch, root)
          .filter(({ required }) => required)
          .map((field) => [field.name, sample(field.schema, root, depth + 1)]),
      );
    default:
      return "text";
  }
}

function suggestions(schema: JsonSchema): unknown[] {
  const { examples, default: preset, const: only, enum: allowed } = schema;
  const lists = [examples, allowed].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []));
  return [...("const" in schema ? [only] : []), ...("default" in schema ? [preset] : []), ...lists];
}
