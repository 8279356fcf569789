import { messageOf } from "../core/error.ts";
import { readTextFile } from "../files/read-text-file.ts";
import { lineFinder, parseJson } from "../json-text/parse-json.ts";
import { checkSettings, type SettingIssue } from "./check-settings.ts";
import type { SettingsFile } from "./settings-file.ts";
import { settingsSchema } from "./settings-schema.ts";

const MAX_BYTES = 1_000_000;
const MAX_WARNINGS = 20;

/** A setting that is ignored, and why. Never fatal. */
export interface SettingsWarning {
  readonly file: string;
  readonly line?: number;
  readonly message: string;
}

/** The valid settings of one file. A missing file counts as empty. */
export interface SettingsRead {
  readonly settings: SettingsFile;
  readonly warnings: readonly SettingsWarning[];
}

/**
 * Reads one settings file: JSON, with comments and trailing commas. `untrusted` is the root of an untrusted project: links out of
 * it are not followed. Never throws.
 */
export function readSettings(file: string, untrusted?: string): SettingsRead {
  const read = readTextFile(file, { largest: MAX_BYTES, untrusted });
  if (read.kind === "missing") return { settings: {}, warnings: [] };
  if (read.kind === "refused") return notRead(file, read.reason);
  try {
    return parseSettings(file, read.text);
  } catch (error) {
    // The parser throws on a text that is nested too deeply.
    return notRead(file, `${messageOf(error)}. Correct it.`);
  }
}

function notRead(file: string, reason: string): SettingsRead {
  return { settings: {}, warnings: [{ file, message: `It is not read: ${reason}` }] };
}

function parseSettings(file: string, text: string): SettingsRead {
  const parsed = parseJson(text, { allowEmpty: true });
  const { value, issues } = checkSettings(parsed.value ?? {}, settingsSchema);
  // `checkSettings` has removed everything that does not match the schema, and the schema matches this type.
  const settings = (value ?? {}) as SettingsFile;
  const wrong = warningsOf(file, text, [...issues, ...withoutEffect(settings)]);
  if (parsed.error === undefined) return { settings, warnings: wrong };
  const warning = {
    file,
    line: parsed.error.line,
    message: `This is not valid JSON (${parsed.error.reason}). Settings that could be read apply, except those that allow calls.`,
  };
  return { settings: withoutAllowing(settings), warnings: [warning, ...wrong] };
}

/** Keys that have no effect yet. Setting one gives a warning. */
function withoutEffect({ search }: SettingsFile): SettingIssue[] {
  if (search === undefined) return [];
  return [{ path: ["search"], message: '"search" has no effect in this version yet. It is ignored.' }];
}

/** A syntax error can make a rule wider, so rules of a broken file may deny and ask, but not allow. */
function withoutAllowing(settings: SettingsFile): SettingsFile {
  const { mode, permissions, ...rest } = settings;
  return {
    ...rest,
    ...(mode === "plan" ? { mode } : {}),
    ...(permissions === undefined ? {} : { permissions: permissions.filter((rule) => rule.action !== "allow") }),
  };
}

function warningsOf(file: string, text: string, issues: readonly SettingIssue[]): SettingsWarning[] {
  const lineOf = lineFinder(text);
  const warnings = issues.slice(0, MAX_WARNINGS).map(({ path, message }): SettingsWarning => {
    const line = lineOf(path);
    return line === undefined ? { file, message } : { file, line, message };
  });
  const more = issues.length - warnings.length;
  return more === 0 ? warnings : [...warnings, { file, message: `${more} more warnings are not shown.` }];
}
