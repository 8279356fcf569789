import type { JsonSchema } from "../../core/schema.ts";
import { branchesOf, fieldsOf } from "./schema-view.ts";

/** What could be better about a tool that works. */
export interface Advice {
  readonly code: "no_description" | "short_description" | "undescribed_field" | "ambiguous_name";
  readonly message: string;
  readonly field?: string;
}

/** What is looked at. */
export interface Advised {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

const SHORT = 20;
const DEEPEST = 4;

/** What a model would find hard about one tool, among all that it is shown. */
export function adviceOn(tool: Advised, names: readonly string[]): Advice[] {
  return [...onDescription(tool), ...onFields(tool.inputSchema), ...onName(tool.name, names)];
}

function onDescription({ description }: Advised): Advice[] {
  const { length } = description.trim();
  if (length === 0) {
    const message =
      "It has no description. Say what the tool does and when to use it: a model has nothing else to go by.";
    return [{ code: "no_description", message }];
  }
  if (length >= SHORT) return [];
  const message = `The description has ${length} characters. Say what the tool does and when to use it.`;
  return [{ code: "short_description", message }];
}

function onFields(root: JsonSchema): Advice[] {
  return undescribed(root, root, "", 0).map((field) => ({
    code: "undescribed_field",
    message: `The field "${field}" has no description. Say what it is, with an example where that helps.`,
    field,
  }));
}

function undescribed(schema: JsonSchema, root: JsonSchema, prefix: string, depth: number): string[] {
  if (depth > DEEPEST) return [];
  return fieldsOf(schema, root).flatMap(({ name, schema: field }) => {
    const path = `${prefix}${name}`;
    const branches = branchesOf(field, root);
    const described = [field, ...branches].some(
      ({ description }) => typeof description === "string" && description.trim(),
    );
    const inner = branches.flatMap((branch) => [
      ...undescribed(branch, root, `${path}.`, depth + 1),
      ...itemsOf(branch).flatMap((item) => undescribed(item, root, `${path}[].`, depth + 1)),
    ]);
    return [...(described ? [] : [path]), ...new Set(inner)];
  });
}

function itemsOf({ items }: JsonSchema): JsonSchema[] {
  return typeof items === "object" && items !== null && !Array.isArray(items) ? [items as JsonSchema] : [];
}

function onName(name: string, names: readonly string[]): Advice[] {
  const alike = names.filter((other) => other !== name && plain(other) === plain(name));
  if (alike.length === 0) return [];
  const others = alike.map((other) => `"${other}"`).join(" and ");
  const message = `"${name}" and ${others} differ only in case and separators, so a model will mix them up. Rename one.`;
  return [{ code: "ambiguous_name", message }];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}
