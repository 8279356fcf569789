import { join } from "node:path";
import type { Limits } from "../core/tool.ts";
import { realPath } from "../platform/files/real-path.ts";
import { defined } from "../platform/values/defined.ts";
import { DEFAULTS, expandHome, type Isolation } from "./defaults.ts";
import { readSettings, type SettingsWarning, type WholeSettings, withLastWhole } from "./read-settings.ts";
import type { ConfiguredHook, ConfiguredPath, Settings } from "./settings.ts";
import type { AgentSettings, FileToolLimits, Hook, SettingsFile } from "./settings-file.ts";

/** The effective settings, and warnings about the files. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly warnings: readonly SettingsWarning[];
  /** Keys of the project's file that are ignored because the project is not trusted. */
  readonly ignored: readonly string[];
  /** Whether a file could not be read whole. */
  readonly isPartial: boolean;
}

/**
 * Reads both settings files. Never throws.
 * `trusted` may be a function, because trust can depend on `trust.parents` in the user's file.
 */
export function loadSettings(options: {
  readonly projectRoot: string;
  readonly toolwrightHome: string;
  /** The user's home folder. */
  readonly home: string;
  readonly trusted: boolean | ((parents: readonly string[]) => boolean);
  /** What earlier calls have read. */
  readonly whole?: WholeSettings | undefined;
}): LoadedSettings {
  const userFile = join(options.toolwrightHome, "settings.json");
  const projectFile = join(options.projectRoot, ".toolwright", "settings.json");
  const files = { userFile, projectFile, home: options.home };
  const { whole = new Map() } = options;
  const user = withLastWhole(userFile, readSettings(userFile), whole);
  if (sameFile(userFile, projectFile)) {
    const { settings, warnings } = user;
    return { settings: merge(settings, {}, files), warnings, ignored: [], isPartial: user.isPartial === true };
  }
  const trusted = isTrue(options.trusted, user.settings.trust?.parents ?? []);
  const readProject = readSettings(projectFile, trusted ? undefined : options.projectRoot);
  const project = withLastWhole(projectFile, readProject, whole);
  const { trust, agents, subagents, ...own } = project.settings;
  const { allowed, ignored } = trusted ? { allowed: own, ignored: [] } : withoutTrust(own, user.settings);
  return {
    settings: merge(user.settings, allowed, files),
    warnings: [
      ...user.warnings,
      ...project.warnings,
      ...onlyOfUser({ trust, agents, subagents, "hooks.optional": own.hooks?.optional }, projectFile, userFile),
    ],
    ignored,
    isPartial: user.isPartial === true || project.isPartial === true,
  };
}

function isTrue(trusted: boolean | ((parents: readonly string[]) => boolean), parents: readonly string[]): boolean {
  return typeof trusted === "boolean" ? trusted : trusted(parents);
}

/** If the project is the home folder, its settings file is the user's. */
function sameFile(a: string, b: string): boolean {
  const real = realPath(a);
  return a === b || (real !== undefined && real === realPath(b));
}

const ONLY_OF_USER = {
  trust: "a project cannot trust itself",
  agents: "a project cannot choose the programs that run as agents",
  subagents: "a project cannot choose the agents that tasks are delegated to",
  "hooks.optional": "a project cannot switch off hooks",
} as const;

function onlyOfUser(
  settings: Readonly<Record<keyof typeof ONLY_OF_USER, unknown>>,
  file: string,
  userFile: string,
): SettingsWarning[] {
  return (Object.keys(ONLY_OF_USER) as (keyof typeof ONLY_OF_USER)[])
    .filter((key) => settings[key] !== undefined)
    .map((key) => ({
      file,
      message: `"${key}" has an effect only in ${userFile}: ${ONLY_OF_USER[key]}. It is ignored.`,
    }));
}

const NEEDS_TRUST = ["hooks", "mode", "permissions", "mcp", "clients", "runtime", "outputs", "sessions"] as const;

/** The settings that an untrusted project may set: none that runs code, allows more, or affects stored data of the user. */
function withoutTrust(project: SettingsFile, user: SettingsFile): { allowed: SettingsFile; ignored: string[] } {
  const allowed: { -readonly [K in keyof SettingsFile]: SettingsFile[K] } = { ...project };
  const ignored: string[] = NEEDS_TRUST.filter((key) => key in project);
  for (const key of NEEDS_TRUST) delete allowed[key];
  if (project.tools?.paths !== undefined) {
    const { paths, ...tools } = project.tools;
    allowed.tools = tools;
    ignored.push("tools.paths");
  }
  if (project.limits?.importMs !== undefined || project.limits?.memoryMb !== undefined) {
    const { importMs: _, memoryMb: __, ...limits } = project.limits;
    allowed.limits = limits;
    ignored.push("limits.importMs, limits.memoryMb");
  }
  if (project.isolation !== undefined && isolatesLess(project.isolation, user.isolation ?? DEFAULTS.isolation)) {
    delete allowed.isolation;
    ignored.push("isolation");
  }
  return { allowed, ignored };
}

function isolatesLess(wanted: Isolation, current: Isolation): boolean {
  const order: readonly Isolation[] = ["none", "shared", "file"];
  return order.indexOf(wanted) < order.indexOf(current);
}

function merge(
  user: SettingsFile,
  project: SettingsFile,
  { userFile, projectFile, home }: { userFile: string; projectFile: string; home: string },
): Settings {
  return {
    tools: {
      paths: [...named(project, projectFile), ...named(user, userFile)],
      disabled: joined(user.tools?.disabled, project.tools?.disabled),
      disabledByUser: user.tools?.disabled ?? [],
      override: joined(user.tools?.override, project.tools?.override),
      pinned: joined(user.tools?.pinned, project.tools?.pinned),
    },
    limits: { ...DEFAULTS.limits, ...user.limits, ...project.limits },
    toolLimits: mergeToolLimits(user.toolLimits ?? {}, project.toolLimits ?? {}),
    runtime: project.runtime ?? user.runtime ?? DEFAULTS.runtime,
    isolation: project.isolation ?? user.isolation ?? DEFAULTS.isolation,
    mode: { user: user.mode ?? DEFAULTS.mode, ...defined({ project: project.mode }) },
    permissions: { user: user.permissions ?? [], project: project.permissions ?? [] },
    hooks: {
      before: [...hooksIn(user.hooks?.before, userFile), ...hooksIn(project.hooks?.before, projectFile)],
      after: [...hooksIn(project.hooks?.after, projectFile), ...hooksIn(user.hooks?.after, userFile)],
      optional: user.hooks?.optional ?? [],
    },
    mcp: { import: project.mcp?.import ?? user.mcp?.import ?? false },
    clients: [user, project].flatMap(({ clients = {} }) => Object.entries(clients)),
    agents: agentsOf(user.agents ?? {}, home),
    subagents: Object.assign(Object.create(null), user.subagents),
    secrets: joined(user.secrets, project.secrets),
    search: { ...user.search, ...project.search },
    trust: { parents: user.trust?.parents ?? [] },
    outputs: { ...DEFAULTS.outputs, ...user.outputs, ...project.outputs },
    sessions: { ...DEFAULTS.sessions, ...user.sessions, ...project.sessions },
  };
}

function agentsOf({ modules, programs = {}, ...rest }: AgentSettings, home: string): Settings["agents"] {
  const commands: Record<string, readonly string[]> = Object.create(null);
  for (const [name, [program = "", ...args]] of Object.entries(programs)) {
    commands[name] = [expandHome(program, home), ...args];
  }
  const folder = modules === undefined ? {} : { modules: expandHome(modules, home) };
  return { ...DEFAULTS.agents, ...rest, ...folder, programs: commands };
}

function named(settings: SettingsFile, file: string): ConfiguredPath[] {
  return (settings.tools?.paths ?? []).map((path) => ({ path, from: `"tools.paths" in ${file}` }));
}

function hooksIn(hooks: readonly Hook[] = [], from: string): ConfiguredHook[] {
  return hooks.map((hook) => ({ ...hook, from }));
}

function joined(user: readonly string[] = [], project: readonly string[] = []): string[] {
  return [...new Set([...user, ...project])];
}

function mergeToolLimits(user: FileToolLimits, project: FileToolLimits): Settings["toolLimits"] {
  const merged: Record<string, Limits> = Object.create(null);
  for (const [name, { timeoutMs, maxLines, maxBytes, keep, ...others }] of [user, project].flatMap(Object.entries)) {
    const own = Object.assign(Object.create(null), merged[name]?.own, others);
    const limits = { timeoutMs, maxLines, maxBytes, keep, own: Object.keys(own).length > 0 ? own : undefined };
    const defined = Object.entries(limits).filter(([, value]) => value !== undefined);
    merged[name] = { ...merged[name], ...Object.fromEntries(defined) };
  }
  return merged;
}
