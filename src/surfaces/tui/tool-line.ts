import { explainDisabled, explainMissing } from "../../calls/resolve-tool.ts";
import { messageOf } from "../../core/error.ts";
import type { JsonSchema } from "../../core/schema.ts";
import { nearest } from "../../platform/text/nearest.ts";
import { isObject } from "../../platform/values/is-object.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { applyFields, type Field, InputError } from "../cli/args/parse-fields.ts";
import { fieldsOf, typeText } from "../cli/args/schema-view.ts";
import { UnclosedError, wordsOf } from "./line-words.ts";

/** A call that a user has typed, or why it cannot be made. */
type ToolLine =
  | { readonly kind: "call"; readonly name: string; readonly input: unknown }
  /** The message says what to type. */
  | { readonly kind: "refused"; readonly message: string };

/**
 * Reads `!name key=value …`. Values are converted by the schema of the tool, as `toolwright run` does it: `key=2`, `key=[1,2]`,
 * `key="two words"`, `outer.inner=x`, and `flag` or `no-flag` for a boolean. Instead of fields, the whole input can be one JSON
 * object. Waits for tool files that are still being read. Never rejects.
 */
export async function readToolLine(line: string, toolbox: Toolbox): Promise<ToolLine> {
  const [, name = "", rest = ""] = /^!\s*(\S*)\s*(.*)$/s.exec(line) ?? [];
  if (name === "") return refused("Name a tool, as in: !NAME field=value. To list the tools: /tools");
  const tool = await toolbox.find(name);
  if (!tool) return refused(explainMissing(name, toolbox).error.message);
  if (!tool.enabled) return refused(explainDisabled(name));
  try {
    const input = rest.startsWith("{") ? parseObject(rest) : readFields(rest, name, tool.inputSchema);
    requireFields(input, name, tool.inputSchema);
    return { kind: "call", name, input };
  } catch (error) {
    if (error instanceof InputError || error instanceof UnclosedError) return refused(error.message);
    throw error;
  }
}

function refused(message: string): ToolLine {
  return { kind: "refused", message };
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new InputError(`The input is not valid JSON: ${messageOf(error)}. Fix it, or write fields: field=value`);
  }
  throw new InputError("The input is not a JSON object. Write fields: field=value");
}

function readFields(text: string, tool: string, schema: JsonSchema): unknown {
  const fields = wordsOf(text).map(({ text: word, equals }): Field => {
    if (equals > 0) return { name: word.slice(0, equals), value: word.slice(equals + 1) };
    return { name: word };
  });
  const bare = fields.find(({ name, value }) => value === undefined && !isField(name, schema));
  if (bare) throw new InputError(needsName(bare.name, tool, schema));
  return applyFields({}, fields, schema, (name) => name);
}

/** Whether a word names a field, maybe misspelled. `applyFields` then says what is wrong. */
function isField(word: string, schema: JsonSchema): boolean {
  const names = fieldsOf(schema).flatMap(({ name }) => [name, `no-${name}`]);
  return names.some((name) => word.startsWith(`${name}.`)) || nearest(word, names).length > 0;
}

/** A value without its field. */
function needsName(word: string, tool: string, schema: JsonSchema): string {
  const fields = fieldsOf(schema);
  const [first] = [...fields.filter(({ required }) => required), ...fields];
  if (!first) return `"${tool}" takes no arguments. Type only: !${tool}`;
  return `${JSON.stringify(word)} belongs to no field. Write field=value, as in: !${tool} ${first.name}=${typed(word)}`;
}

function typed(word: string): string {
  return /[\s"']/.test(word) ? JSON.stringify(word) : word;
}

function requireFields(input: unknown, tool: string, schema: JsonSchema): void {
  const missing = fieldsOf(schema).filter(
    ({ name, required }) => required && !Object.hasOwn(input as Readonly<Record<string, unknown>>, name),
  );
  if (missing.length === 0) return;
  const fields = missing.map(({ name, schema: field }) => `${name} (${typeText(field, schema)})`);
  const example = missing.map(({ name }) => `${name}=…`).join(" ");
  throw new InputError(`"${tool}" needs ${fields.join(", ")}. Add: ${example}`);
}
