import type { JsonSchema } from "../../../core/schema.ts";
import { shellWord } from "../../../platform/text/shell-word.ts";
import { GLOBAL_OPTIONS } from "./command.ts";
import { branchesOf, type FieldView, fieldsOf, jsonType, typesOf } from "./schema-view.ts";

/** Options of `run`: fields of these names must come after `--`. */
const RUN_OPTIONS: readonly string[] = ["input", "timeout", "session", "quiet"];

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
  return Object.fromEntries(needed.map(({ name, schema }) => [name, sample(name, schema, inputSchema)]));
}

function fieldWords({ name, schema }: FieldView, root: JsonSchema): string {
  const value = sample(name, schema, root);
  const option = shellWord(`--${name}`);
  if (value === true) return option;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.startsWith("--") ? `${option}=${shellWord(text)}` : `${option} ${shellWord(text)}`;
}

function sample(name: string, schema: JsonSchema, root: JsonSchema, depth = 0): unknown {
  const [branch = {}] = branchesOf(schema, root);
  const suggested = [schema, branch].flatMap(suggestions);
  if (suggested.length > 0) return suggested[0];
  const [type = "string"] = typesOf(branch, root);
  if (depth > 4) return null;
  switch (type) {
    case "number":
    case "integer":
      return sampleNumber(branch);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return jsonType(branch.items) === "object" ? [sample(name, branch.items as JsonSchema, root, depth + 1)] : [];
    case "object":
      return Object.fromEntries(
        fieldsOf(branch, root)
          .filter(({ required }) => required)
          .map((field) => [field.name, sample(field.name, field.schema, root, depth + 1)]),
      );
    default:
      return sampleText(name, { ...branch, ...schema });
  }
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: JsonSchema): number {
  const step = typeof multipleOf === "number" ? multipleOf : 1;
  if (typeof minimum === "number") return minimum;
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + step;
  return typeof maximum === "number" && maximum < step ? maximum : step;
}

/** Values for the formats of JSON Schema. */
const FORMATS: Readonly<Record<string, string>> = {
  uri: "https://example.com",
  email: "ada@example.com",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "127.0.0.1",
  hostname: "example.com",
};

/** Values for the last word of a field's name. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/(?:file|path)(?:name)?$/i, "README.md"],
  [/(?:dir|directory|folder|cwd)$/i, "."],
  [/ur[il]$/i, "https://example.com"],
  [/(?:pattern|regexp?|query|search)$/i, "TODO"],
  [/(?:command|cmd)$/i, "ls"],
];

/** An example that the description gives, else a value that fits the format or the name. */
function sampleText(name: string, { description, format, minLength }: JsonSchema): string {
  const [, quoted, word] =
    /(?:for example|e\.g\.|such as):? (?:["'`]([^"'`\n]+)["'`]|([\w./:@-]*\w))/i.exec(String(description)) ?? [];
  const found = quoted ?? word ?? FORMATS[String(format)] ?? WORDS.find(([ending]) => ending.test(name))?.[1] ?? "text";
  return typeof minLength === "number" ? found.padEnd(Math.min(minLength, 100), "x") : found;
}

function suggestions(schema: JsonSchema): unknown[] {
  const { examples, default: preset, const: only, enum: allowed } = schema;
  const lists = [examples, allowed].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []));
  return [...("const" in schema ? [only] : []), ...("default" in schema ? [preset] : []), ...lists];
}
