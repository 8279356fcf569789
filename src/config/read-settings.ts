import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";
import { messageOf } from "../core/error.ts";
import { checkSettings, type SettingIssue } from "./check-settings.ts";
import { hasCode } from "./error-code.ts";
import type { SettingsFile } from "./settings-file.ts";
import { settingsSchema } from "./settings-schema.ts";

const LARGEST = 1_000_000;
const MOST_WARNINGS = 20;

/** Something in a settings file that does not count. Never fatal. */
export interface SettingsWarning {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

/** What could be read of one settings file; a missing file is an empty one. */
export interface SettingsRead {
  readonly settings: SettingsFile;
  readonly warnings: readonly SettingsWarning[];
}

/** Reads one settings file: JSON, with comments and trailing commas. Never throws. */
export function readSettings(file: string): SettingsRead {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return { settings: {}, warnings: [] };
    if (!stat.isFile()) return refused(file, "This is not a file, so no settings are read from it.");
    if (stat.size > LARGEST)
      return refused(file, `Settings over ${LARGEST} bytes are not read. Make the file smaller.`);
    return parseSettings(file, readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return { settings: {}, warnings: [] };
    return refused(file, `Settings cannot be read: ${messageOf(error)}`);
  }
}

function parseSettings(file: string, text: string): SettingsRead {
  const parsed = parse(text);
  const { value, issues } = checkSettings(parsed.value, settingsSchema);
  // The checker has dropped whatever is not of the schema's shape, which is the shape of this type.
  const settings = (value ?? {}) as SettingsFile;
  const wrong = warningsOf(file, text, issues);
  if (parsed.error === undefined) return { settings, warnings: wrong };
  const warning = {
    file,
    line: lineAt(text, parsed.error.offset),
    message: `This is not valid JSON (${parsed.error.reason}). What could be read counts, except what allows more.`,
  };
  return { settings: tightening(settings), warnings: [warning, ...wrong] };
}

/** A slip of the pen inside a rule can widen it, so a broken file may forbid and ask, but not allow. */
function tightening(settings: SettingsFile): SettingsFile {
  const { mode, permissions, ...rest } = settings;
  return {
    ...rest,
    ...(mode === "plan" ? { mode } : {}),
    ...(permissions === undefined ? {} : { permissions: permissions.filter((rule) => rule.action !== "allow") }),
  };
}

interface Parsed {
  readonly value: unknown;
  readonly error?: { readonly offset: number; readonly reason: string };
}

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseWithComments(text);
  }
}

function parseWithComments(text: string): Parsed {
  const jsonc = jsoncParser();
  const errors: Jsonc.ParseError[] = [];
  const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) ?? {};
  const [first] = errors;
  if (first === undefined) return { value };
  return { value, error: { offset: first.offset, reason: words(jsonc.printParseErrorCode(first.error)) } };
}

/** `CommaExpected` → `comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}

function warningsOf(file: string, text: string, issues: readonly SettingIssue[]): SettingsWarning[] {
  if (issues.length === 0) return [];
  const jsonc = jsoncParser();
  const tree = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const warnings = issues.slice(0, MOST_WARNINGS).map(({ path, message }): SettingsWarning => {
    const node = tree && jsonc.findNodeAtLocation(tree, [...path]);
    if (node === undefined) return { file, message };
    return { file, line: lineAt(text, (node.parent?.type === "property" ? node.parent : node).offset), message };
  });
  const more = issues.length - warnings.length;
  return more === 0 ? warnings : [...warnings, { file, message: `And ${more} more like these.` }];
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** Loaded for files that are not plain JSON, and to find lines: most starts need neither. */
function jsoncParser(): typeof Jsonc {
  return createRequire(import.meta.url)("jsonc-parser");
}

function refused(file: string, message: string): SettingsRead {
  return { settings: {}, warnings: [{ file, message }] };
}
