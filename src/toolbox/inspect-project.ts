import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, type Homes, homes } from "../config/defaults.ts";
import { type LoadedSettings, loadSettings } from "../config/settings.ts";
import { type Discovered, discover } from "../discovery/discover.ts";
import { projectOf } from "../discovery/repository.ts";
import { isTrusted } from "../discovery/trusted-projects.ts";
import type { ProjectInfo } from "./toolbox.ts";

/** The directory to inspect, and the environment that decides the user. */
export interface InspectOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly toolsPaths: readonly string[];
  /** Trusts the project for this inspection only. */
  readonly trust: boolean;
}

/** A project as it is on disk. No tool file was opened. */
export interface InspectedProject extends LoadedSettings {
  readonly homes: Homes;
  readonly discovered: Discovered;
}

/** Reads the settings, decides trust, and finds the tool files. Runs nothing. Never throws. */
export function inspectProject({ cwd, env, toolsPaths, trust }: InspectOptions): InspectedProject {
  const at = homes(env, homedir(), { cwd });
  const { home, toolwrightHome } = at;
  const project = projectOf(cwd);
  const loaded = loadSettings({
    projectRoot: project,
    toolwrightHome,
    home,
    trusted: (parents) => isTrusted({ project, toolwrightHome, home, parents, env, flag: trust }),
  });
  const { tools, mcp, trust: trusted } = loaded.settings;
  const paths = [...toolsPaths.map((path) => ({ path, from: "--tools-path" })), ...tools.paths];
  const { parents } = trusted;
  const discovered = discover({ cwd, home, toolwrightHome, env, paths, parents, trust, mcpImport: mcp.import });
  return { ...loaded, homes: at, discovered };
}

export function projectInfo(directory: string, inspected: InspectedProject): ProjectInfo {
  const { discovered, homes, settings, ignored } = inspected;
  return { directory, ...discovered.project, homes, settings, ignored };
}

/** The settings files. They need not exist. */
export interface SettingsPaths {
  readonly user: string;
  readonly project: string;
}

export function settingsPaths(at: {
  readonly homes: Homes;
  readonly discovered: { readonly project: { readonly root: string } };
}): SettingsPaths {
  return {
    user: join(at.homes.toolwrightHome, "settings.json"),
    project: join(at.discovered.project.root, ".toolwright", "settings.json"),
  };
}
