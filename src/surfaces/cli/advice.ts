import { basename, dirname } from "node:path";
import type { ToolInfo } from "../../catalog/registry/registry-entry.ts";
import { reservedName } from "../../catalog/registry/reserved-name.ts";
import type { JsonSchema } from "../../core/schema.ts";
import type { Format } from "../../core/tool.ts";
import { branchesOf, fieldsOf } from "./args/schema-view.ts";

/** A possible improvement of a working tool. */
export interface Advice {
  readonly code:
    | "no_description"
    | "short_description"
    | "unknown_variable"
    | "undescribed_field"
    | "ambiguous_name"
    | "reserved_name"
    | "name_not_of_file"
    | "returns_nothing";
  readonly message: string;
  readonly field?: string;
}

/** The parts of a tool that advice is about. */
export type Advised = Pick<
  ToolInfo,
  "name" | "description" | "inputSchema" | "file" | "place" | "format" | "returnsNothing"
>;

const MIN_DESCRIPTION_LENGTH = 20;
const MAX_DEPTH = 4;

/** Advice on one tool among all served tools. */
export function adviceOn(tool: Advised, all: readonly Advised[]): Advice[] {
  return [
    ...onDescription(tool),
    ...onVariables(tool),
    ...onFields(tool.inputSchema),
    ...onName(tool.name, all),
    ...onFile(tool, all),
    ...onResult(tool),
  ];
}

function onDescription({ description }: Advised): Advice[] {
  const { length } = description.trim();
  if (length === 0) {
    const message = "It has no description. Say what the tool does and when to use it: a model decides by this text.";
    return [{ code: "no_description", message }];
  }
  if (length >= MIN_DESCRIPTION_LENGTH) return [];
  const message = `The description has ${length} characters. Say what the tool does and when to use it.`;
  return [{ code: "short_description", message }];
}

/** A description from a text file may contain variables that no code has replaced. */
function onVariables({ description }: Advised): Advice[] {
  const left = [...new Set(description.match(/\$\{[A-Za-z_]\w*\}/g) ?? [])];
  if (left.length === 0) return [];
  const message = `The description contains ${left.join(", ")}, and a model reads it like that. Replace it in your code; only \${directory} and \${workspace} are replaced for you.`;
  return [{ code: "unknown_variable", message }];
}

function onFields(root: JsonSchema): Advice[] {
  return undescribed(root, root, "", 0).map((field) => ({
    code: "undescribed_field",
    message: `The field "${field}" has no description. Say what it is, with an example where that helps.`,
    field,
  }));
}

function undescribed(schema: JsonSchema, root: JsonSchema, prefix: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
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

function onName(name: string, all: readonly Advised[]): Advice[] {
  const reserved = reservedName(name);
  const reservations = reserved === undefined ? [] : [{ code: "reserved_name" as const, message: reserved }];
  const alike = all.filter((other) => other.name !== name && plain(other.name) === plain(name));
  if (alike.length === 0) return reservations;
  const others = alike.map((other) => `"${other.name}"`).join(" and ");
  const message = `"${name}" and ${others} differ only in case and separators, so a model will mix them up. Rename one.`;
  return [...reservations, { code: "ambiguous_name", message }];
}

/** Files of these formats are named after a set of features. A tool is only one of them. */
const NAMED_AFTER_FEATURES: readonly Format[] = [
  "pi-extension",
  "opencode-plugin",
  "openclaw-plugin",
  "amp-plugin",
  "mcp-module",
];
/** Copilot CLI prescribes the name of this file, and its folder is named after a set of features too. */
const COPILOT_EXTENSION = /[\\/]extensions[\\/][^\\/]+[\\/]extension\.mjs$/;
/** The entry of a folder, which has the name of the tool. */
const INDEX_FILE = /[\\/]index\.\w+$/;

/**
 * Advice on a file with one tool of another name. Users cannot rename the files of packages, and a JSON file declares its name
 * itself.
 */
function onFile({ name, file, place, format }: Advised, all: readonly Advised[]): Advice[] {
  if (!/\.(?:[mc]?js|m?ts)$/.test(file) || place === "package" || NAMED_AFTER_FEATURES.includes(format)) return [];
  if (COPILOT_EXTENSION.test(file)) return [];
  if (all.filter((other) => other.file === file).length > 1) return [];
  const stem = basename(file).replace(/\.\w+$/, "");
  const isIndex = INDEX_FILE.test(file);
  const fileName = isIndex ? basename(dirname(file)) : stem;
  if (plain(name).startsWith(plain(fileName))) return [];
  const what = isIndex ? "folder" : "file";
  const message = `The tool "${name}" is in the ${what} "${fileName}". Rename the ${what} to "${name}", so that people find it.`;
  return [{ code: "name_not_of_file", message }];
}

/** A tool may have only side effects, so this is not a problem. */
function onResult({ returnsNothing }: Advised): Advice[] {
  if (!returnsNothing) return [];
  const message =
    'Its function has no "return" with a value, so a model gets an empty result. Return a text that says what was done.';
  return [{ code: "returns_nothing", message }];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}
