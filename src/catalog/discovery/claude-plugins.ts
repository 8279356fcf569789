import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { isInside } from "../../platform/files/inside.ts";
import { realPath } from "../../platform/files/real-path.ts";
import { defined } from "../../platform/values/defined.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { claudeFolder } from "./agent-homes.ts";
import { candidatesAt } from "./candidates.ts";
import { readPlainJson } from "./read-config-file.ts";
import type { FoundPlugin, FoundPlugins } from "./scan.ts";
import type { LocationOptions } from "./tool-locations.ts";

/**
 * The plugins in the cache of Claude Code that are enabled, installed for this user or this project, and have a folder
 * `tools`. Never throws.
 */
export function findClaudePlugins(options: LocationOptions): FoundPlugins {
  const claude = claudeFolder(options);
  const registry = join(claude, "plugins/installed_plugins.json");
  const settings = join(claude, "settings.json");
  const files = [registry, settings];
  const entries = entriesOf(readPlainJson(registry));
  if (entries.length === 0) return { plugins: [], problems: [], folders: [], files };
  const off = switchedOff(readPlainJson(settings));
  const wanted = entries.filter((entry) => !off.has(entry.id) && isFor(entry, options.root));
  const problems: Problem[] = [];
  const plugins = wanted.flatMap((entry) => toPlugin(entry, problems));
  return { plugins, problems, folders: wanted.map(({ folder }) => join(folder, "tools")), files };
}

interface Entry {
  /** As in `formatter@marketplace`. */
  readonly id: string;
  readonly folder: string;
  readonly version?: string;
  /** The project that it is installed for; absent if it is for all projects. */
  readonly project?: string;
}

function entriesOf(registry: unknown): Entry[] {
  const plugins = isObject(registry) && isObject(registry.plugins) ? registry.plugins : {};
  return Object.entries(plugins).flatMap(([id, installs]) =>
    Array.isArray(installs) ? installs.flatMap((install: unknown) => entryOf(id, install)) : [],
  );
}

function entryOf(id: string, install: unknown): Entry[] {
  if (!isObject(install) || install.enabled === false) return [];
  const { installPath: folder, version, scope, projectPath } = install;
  if (typeof folder !== "string" || !isAbsolute(folder)) return [];
  const isBound = scope === "project" || scope === "local";
  if (isBound && typeof projectPath !== "string") return [];
  return [
    {
      id,
      folder,
      ...(typeof version === "string" ? { version } : {}),
      ...(isBound ? { project: String(projectPath) } : {}),
    },
  ];
}

function switchedOff(settings: unknown): ReadonlySet<string> {
  const enabled = isObject(settings) && isObject(settings.enabledPlugins) ? settings.enabledPlugins : {};
  return new Set(Object.keys(enabled).filter((id) => enabled[id] === false));
}

function isFor(entry: Entry, project: string): boolean {
  return entry.project === undefined || realPath(entry.project) === project;
}

function toPlugin(entry: Entry, problems: Problem[]): FoundPlugin[] {
  const { id, folder, version, project } = entry;
  const tools = join(folder, "tools");
  if (!existsSync(tools)) return [];
  const real = realPath(folder) ?? folder;
  const plugin = { name: id.replace(/@[^@]*$/, ""), ...defined({ version }) };
  const candidates = candidatesAt(tools, problems).filter((candidate) => isInside(real, candidate.real));
  return [
    {
      location: { path: folder, kind: "package", system: "claude", ofProject: project !== undefined, plugin },
      candidates,
    },
  ];
}
