import { isAbsolute } from "node:path";
import { messageOf } from "../core/error.ts";
import { modeNamed } from "../core/permission-mode.ts";
import type { Problem } from "../core/problem.ts";
import { hiddenBy } from "../platform/files/hidden-by.ts";
import { readTextFile } from "../platform/files/read-text-file.ts";
import { lineFinder, parseJson } from "../platform/json/parse-json.ts";
import { defined } from "../platform/values/defined.ts";
import { checkSettings, type SettingIssue, type SettingPath } from "./check-settings.ts";
import type { AgentSettings, SettingsFile } from "./settings-file.ts";
import { settingsSchema } from "./settings-schema.ts";

const MAX_BYTES = 1_000_000;
const MAX_WARNINGS = 20;

/** A setting that is ignored, and why. Never fatal. */
export type SettingsWarning = Pick<Problem, "file" | "line" | "message">;

/** The valid settings of one file. A missing file counts as empty. */
interface SettingsRead {
  readonly settings: SettingsFile;
  readonly warnings: readonly SettingsWarning[];
  /** The file is there, but could not be read whole: rules in it may be missing. */
  readonly isPartial?: true;
}

/**
 * Reads one settings file: JSON, with comments and trailing commas. `untrusted` is the root of an untrusted project: links out of
 * it are not followed. Never throws.
 */
export function readSettings(file: string, untrusted?: string): SettingsRead {
  const read = readTextFile(file, { largest: MAX_BYTES, untrusted });
  if (read.kind === "missing")
    return hiddenBy(file) === "link" ? notRead(file, BROKEN_LINK) : { settings: {}, warnings: [] };
  if (read.kind === "refused") return notRead(file, read.reason);
  try {
    return parseSettings(file, read.text);
  } catch (error) {
    // The parser throws on a text that is nested too deeply.
    return notRead(file, `${messageOf(error)}. Correct it.`);
  }
}

const BROKEN_LINK = "it is a link to nothing, or in a folder that is one. Correct the link, or delete it.";

function notRead(file: string, reason: string): SettingsRead {
  return { settings: {}, warnings: [{ file, message: `It is not read: ${reason}` }], isPartial: true };
}

function parseSettings(file: string, text: string): SettingsRead {
  const parsed = parseJson(text, { allowEmpty: true });
  const { value, issues } = checkSettings(parsed.value ?? {}, settingsSchema);
  // `checkSettings` has removed everything that does not match the schema, and the schema matches this type.
  const read = (value ?? {}) as SettingsFile;
  const { agents, issues: relative } = withoutRelativePaths(read.agents);
  const settings = { ...read, ...defined({ agents, mode: modeNamed(read.mode) }) };
  const wrong = warningsOf(file, text, [...issues, ...relative, ...withoutEffect(settings)]);
  if (parsed.error === undefined) return { settings, warnings: wrong };
  const warning = {
    file,
    line: parsed.error.line,
    message: `This is not valid JSON (${parsed.error.reason}). Settings that could be read apply, except those that allow calls or choose agents.`,
  };
  return { settings: withoutAllowing(settings), warnings: [warning, ...wrong], isPartial: true };
}

/** Keys that have no effect yet. Setting one gives a warning. */
function withoutEffect({ search }: SettingsFile): SettingIssue[] {
  if (search === undefined) return [];
  return [{ path: ["search"], message: '"search" has no effect in this version yet. It is ignored.' }];
}

/** Folders and programs of agents must not depend on the directory that an agent is started in. */
function withoutRelativePaths(agents: AgentSettings | undefined): { agents?: AgentSettings; issues: SettingIssue[] } {
  if (agents === undefined) return { issues: [] };
  const { modules, programs = {}, ...rest } = agents;
  const wrong = Object.keys(programs).filter((name) => isRelativePath(programs[name]?.[0] ?? ""));
  const right = Object.entries(programs).filter(([name]) => !wrong.includes(name));
  const isWrong = modules !== undefined && !isFixed(modules);
  const path = 'a path that is absolute or begins with "~"';
  return {
    agents: { ...rest, ...(modules === undefined || isWrong ? {} : { modules }), programs: Object.fromEntries(right) },
    issues: [
      ...(isWrong ? [ignored(["agents", "modules"], `"agents.modules" must be ${path}`, modules)] : []),
      ...wrong.map((name) => {
        const message = `The program of "agents.programs.${name}" must be a name on PATH, or ${path}`;
        return ignored(["agents", "programs", name], message, programs[name]?.[0]);
      }),
    ],
  };
}

function ignored(path: SettingPath, message: string, value: unknown): SettingIssue {
  return { path, message: `${message}, not ${JSON.stringify(value)}. It is ignored.` };
}

function isFixed(path: string): boolean {
  return isAbsolute(path) || /^~(?:[\\/]|$)/.test(path);
}

function isRelativePath(program: string): boolean {
  return program === "" || (/[\\/]/.test(program) && !isFixed(program));
}

/** The files as they were when they could last be read whole, by path. Kept by a process that reads them again and again. */
export type WholeSettings = Map<string, SettingsFile>;

/** A file that cannot be read whole may have lost rules that deny: those of its last whole version still apply. */
export function withLastWhole(file: string, read: SettingsRead, whole: WholeSettings): SettingsRead {
  if (!read.isPartial) {
    whole.set(file, read.settings);
    return read;
  }
  const last = whole.get(file);
  return last ? { ...read, settings: withoutAllowing(last) } : read;
}

/** A syntax error can make a rule or a command wider, so rules of a broken file may deny and ask, but not allow. */
function withoutAllowing(settings: SettingsFile): SettingsFile {
  const { mode, permissions, hooks, agents: _, subagents: __, ...rest } = settings;
  const { optional: ___, ...requiredHooks } = hooks ?? {};
  return {
    ...rest,
    ...(mode === "plan" ? { mode } : {}),
    ...(hooks === undefined ? {} : { hooks: requiredHooks }),
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
