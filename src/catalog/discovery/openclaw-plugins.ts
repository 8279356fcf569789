import { join, resolve } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { isFolder } from "../../platform/files/is-folder.ts";
import { OPENCLAW_MANIFEST } from "../../platform/files/openclaw-package.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { expandHome } from "../../settings/defaults.ts";
import { type AgentHomes, openClawFolder } from "./agent-homes.ts";
import { openClawEntries } from "./openclaw-entries.ts";
import type { NamedPlugin } from "./opencode-plugins.ts";
import { readAgentConfig } from "./read-config-file.ts";
import { belongsToProject, type ProjectPlace } from "./repository.ts";

/** The plugins of OpenClaw whose folder is a directory of the project, and those that the user's configuration names. */
export interface OpenClawPlugins {
  /** By directory of the project. */
  readonly inProject: ReadonlyMap<string, readonly NamedPlugin[]>;
  readonly ofUser: readonly NamedPlugin[];
  readonly problems: readonly Problem[];
  /** Manifests and configuration files to watch. */
  readonly files: readonly string[];
}

export interface OpenClawOptions extends AgentHomes, ProjectPlace {
  /** In an untrusted project, links out of the project are not followed. */
  readonly trusted: boolean;
}

/** Finds the plugins of OpenClaw outside of its folders of plugins. Never throws. */
export function findOpenClawPlugins(options: OpenClawOptions): OpenClawPlugins {
  const { root, directories, trusted } = options;
  const problems: Problem[] = [];
  const inProject = new Map<string, readonly NamedPlugin[]>();
  for (const directory of directories) {
    const entries = openClawEntries(directory, problems, trusted ? undefined : root);
    const from = join(directory, OPENCLAW_MANIFEST);
    inProject.set(
      directory,
      entries.map((path) => ({ location: { path, kind: "project", system: "openclaw", ofProject: true }, from })),
    );
  }
  const config = openClawConfig(options);
  return {
    inProject,
    ofUser: loadedByUser(config, options, problems),
    problems,
    files: [config, ...directories.flatMap((each) => [join(each, OPENCLAW_MANIFEST), join(each, "package.json")])],
  };
}

function openClawConfig(at: AgentHomes): string {
  const { OPENCLAW_CONFIG_PATH: named } = at.env;
  return named ? resolve(at.cwd, expandHome(named, at.home)) : join(openClawFolder(at), "openclaw.json");
}

/** `plugins.load.paths`: plugins, and folders of plugins. */
function loadedByUser(config: string, options: OpenClawOptions, problems: Problem[]): NamedPlugin[] {
  const { root, home, trusted } = options;
  // An environment variable may point into the project.
  if (belongsToProject(config, root, home) && !trusted) return [];
  const read = readAgentConfig(config, "plugins");
  if (read.kind === "problem") problems.push(read.problem);
  const { plugins } = read.kind === "read" && isObject(read.value) ? read.value : {};
  const { load } = isObject(plugins) ? plugins : {};
  const paths: unknown[] = isObject(load) && Array.isArray(load.paths) ? load.paths : [];
  return paths
    .filter((path) => typeof path === "string" && path !== "")
    .flatMap((path) => {
      const absolute = resolve(home, expandHome(String(path), home));
      const ofProject = belongsToProject(absolute, root, home);
      const untrusted = ofProject && !trusted ? root : undefined;
      const entries = isFolder(absolute) ? openClawEntries(absolute, problems, untrusted) : [];
      return (entries.length > 0 ? entries : [absolute]).map(
        (file): NamedPlugin => ({
          location: { path: file, kind: "global", system: "openclaw", ofProject },
          from: `"plugins.load.paths" in ${config}`,
        }),
      );
    });
}
