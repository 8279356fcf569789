import { type AutocompleteItem, type AutocompleteSuggestions, fuzzyFilter } from "@earendil-works/pi-tui";
import type { ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import type { JsonSchema } from "../../../core/schema.ts";
import { firstLine } from "../../../platform/text/printable.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { fieldNamed } from "../../cli/args/parse-fields.ts";
import { branchesOf, fieldsOf, follow, typesOf, typeText } from "../../cli/args/schema-view.ts";
import { wordsOf } from "../line-words.ts";
import { fileItems } from "./file-completion.ts";
import type { ProjectFiles } from "./project-files.ts";

/** What completes the values of fields, if the user asks for it with Tab. */
interface ValueSource {
  readonly files: ProjectFiles;
  readonly signal: AbortSignal;
  /** Whether the user asks for completion. Files are then offered as the value of a text. */
  readonly isForced: boolean;
}

/** Completes `!name`, then `field=`, then its value. Null if the text calls no tool, or if nothing matches. */
export async function completeToolLine(
  before: string,
  toolbox: Toolbox,
  source: ValueSource,
): Promise<AutocompleteSuggestions | null> {
  const [, name, rest] = /^!(\S*)(?:\s+(.*))?$/s.exec(before) ?? [];
  if (name === undefined || name.startsWith("!")) return null;
  if (rest === undefined && !/\s$/.test(before)) return suggestions(toolItems(name, toolbox.list()), before, source);
  const tool = toolbox.get(name);
  // The word at the cursor. In open quotes or brackets, it has no end yet.
  const typed = /[^\s"'[\]{}]*(?:="[^"]*)?$/.exec(rest ?? "")?.[0] ?? "";
  if (!tool || /^\s*\{/.test(rest ?? "")) return null;
  const schema = tool.inputSchema;
  const equals = typed.indexOf("=");
  if (equals > 0) return suggestions(await valueItems(typed, equals, schema, source), typed, source);
  if (!source.isForced && isFlag(typed, schema)) return null;
  const earlier = (rest ?? "").slice(0, (rest ?? "").length - typed.length);
  return suggestions(fieldItems(typed, schema, fieldsIn(earlier)), typed, source);
}

/** While a list is open, Enter chooses from it: for what is typed in full, it opens only if the user asks for it. */
function suggestions(
  items: AutocompleteItem[],
  prefix: string,
  { isForced }: ValueSource,
): AutocompleteSuggestions | null {
  const isComplete = !isForced && items.some(({ value }) => value === prefix);
  return isComplete || items.length === 0 ? null : { items, prefix };
}

/** Whether the word is the whole name of a boolean, which needs no value. */
function isFlag(word: string, schema: JsonSchema): boolean {
  const field = fieldNamed(word, schema)?.schema;
  return field !== undefined && typesOf(field, schema).has("boolean");
}

function toolItems(typed: string, tools: readonly ToolInfo[]): AutocompleteItem[] {
  const enabled = tools.filter((tool) => tool.enabled);
  return fuzzyFilter(enabled, typed, ({ name }) => name).map(({ name, description }) => ({
    value: `!${name}`,
    label: `!${name}`,
    description: firstLine(description),
  }));
}

function fieldsIn(line: string): ReadonlySet<string> {
  return (
    tryOrUndefined(
      () => new Set(wordsOf(line).map(({ text, equals }) => (equals < 0 ? text : text.slice(0, equals)))),
    ) ?? new Set()
  );
}

/** Required fields first. Fields of an object are offered when its name and a dot are typed. */
function fieldItems(typed: string, schema: JsonSchema, set: ReadonlySet<string>): AutocompleteItem[] {
  const dot = typed.lastIndexOf(".");
  const outer = dot < 0 ? undefined : fieldNamed(typed.slice(0, dot), schema)?.schema;
  const path = outer ? typed.slice(0, dot + 1) : "";
  const fields = fieldsOf(outer ?? schema, schema)
    .map((field) => ({ ...field, name: `${path}${field.name}` }))
    .filter(({ name, schema: field }) => !set.has(name) || typesOf(field, schema).has("array"))
    .toSorted((a, b) => Number(b.required) - Number(a.required));
  return fuzzyFilter(fields, typed, ({ name }) => name).map(({ name, schema: field, required }) => ({
    value: isObjectOnly(field, schema) ? `${name}.` : `${name}=`,
    label: name,
    description: aboutField(field, schema, required),
  }));
}

function isObjectOnly(field: JsonSchema, root: JsonSchema): boolean {
  const types = typesOf(field, root);
  return types.size === 1 && types.has("object") && fieldsOf(field, root).length > 0;
}

function aboutField(field: JsonSchema, root: JsonSchema, required: boolean): string {
  const { description } = { ...follow(field, root), ...field };
  const about = typeof description === "string" ? ` ${firstLine(description)}` : "";
  return `${firstLine(typeText(field, root))}${required ? ", required." : "."}${about}`;
}

async function valueItems(
  typed: string,
  equals: number,
  root: JsonSchema,
  { files, signal, isForced }: ValueSource,
): Promise<AutocompleteItem[]> {
  const [name, value] = [typed.slice(0, equals), typed.slice(equals + 1)];
  const schema = fieldNamed(name, root)?.schema;
  if (!schema) return [];
  const values = valuesOf(schema, root);
  const toValue = (text: string): string => `${name}=${text}`;
  if (values.length > 0) {
    const written = values.map((each) => (typeof each === "string" ? quotedIfNeeded(each) : JSON.stringify(each)));
    return fuzzyFilter(written, value, (text) => text).map((text) => ({
      value: toValue(text),
      label: firstLine(text),
    }));
  }
  if (!isForced || !typesOf(schema, root).has("string")) return [];
  return fileItems(value, files, signal, toValue);
}

/** The values that a schema lists. Those of its items, if it is a list. */
function valuesOf(schema: JsonSchema, root: JsonSchema): unknown[] {
  const values = branchesOf(schema, root).flatMap((branch): unknown[] => {
    if ("const" in branch) return [branch.const];
    if (Array.isArray(branch.enum)) return branch.enum;
    if (branch.type === "boolean") return [true, false];
    const { items } = branch;
    return typeof items === "object" && items !== null && items !== schema ? enumOf(items as JsonSchema, root) : [];
  });
  return [...new Set(values)];
}

function enumOf(items: JsonSchema, root: JsonSchema): unknown[] {
  return branchesOf(items, root).flatMap((branch) => (Array.isArray(branch.enum) ? branch.enum : []));
}

function quotedIfNeeded(text: string): string {
  return text === "" || /[\s"'[{]/.test(text) ? JSON.stringify(text) : text;
}
