import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Environment, expandHome, type Homes, homes } from "../settings/defaults.ts";
import { type LoadedSettings, loadSettings } from "../settings/load-settings.ts";
import type { WholeSettings } from "../settings/read-settings.ts";
import { RightsFiles } from "../settings/rights-files.ts";
import type { ConfiguredPath } from "../settings/settings.ts";
import type { GivenPath, ProjectInfo } from "./catalog.ts";
import { type Discovered, discover } from "./discovery/discover.ts";
import { projectPlace } from "./discovery/repository.ts";
import { type Trust, trustOf } from "./discovery/trusted-projects.ts";

/** The directory to inspect, and the environment that decides the user. */
interface InspectOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Paths that the caller names. Relative ones start at `cwd`. */
  readonly toolsPaths: readonly GivenPath[];
  /** Looks for tools only at `toolsPaths`. */
  readonly onlyGiven?: boolean | undefined;
  /** Trusts the project for this inspection only. */
  readonly trust: boolean;
  /** The settings files as earlier inspections of this process read them. */
  readonly whole?: WholeSettings;
}

/** A project as it is on disk. No tool file was opened. */
export interface InspectedProject extends LoadedSettings {
  readonly homes: Homes;
  /** The paths with tools that the caller and the settings name, highest priority first. Those of the caller are absolute. */
  readonly paths: readonly ConfiguredPath[];
  readonly discovered: Discovered;
  /** The files that the settings and the trust were read from. */
  readonly rights: RightsFiles;
}

/** Reads the settings, decides trust, and finds the tool files. Runs nothing. Never throws. */
export function inspectProject({
  cwd,
  env,
  toolsPaths,
  onlyGiven = false,
  trust,
  whole,
}: InspectOptions): InspectedProject {
  const at = homes(env, homedir(), { cwd });
  const { home, toolwrightHome } = at;
  const project = projectPlace(cwd, home);
  const rights = new RightsFiles(rightsPaths(toolwrightHome, project.root));
  let decided: Trust | undefined;
  const decide = (parents: readonly string[]): Trust => {
    decided ??= trustOf({ project: project.root, toolwrightHome, home, parents, env, flag: trust });
    return decided;
  };
  const loaded = loadSettings({
    projectRoot: project.root,
    toolwrightHome,
    home,
    whole,
    trusted: (parents) => decide(parents).trusted,
  });
  const { tools, mcp, trust: ofUser } = loaded.settings;
  const given = toolsPaths.map((each) => givenPath(each, cwd, home));
  const paths = onlyGiven ? given : [...given, ...tools.paths];
  const where = { ...project, home, toolwrightHome, env, paths };
  const discovered = discover({
    ...where,
    onlyConfigured: onlyGiven,
    trust: decide(ofUser.parents),
    mcpImport: mcp.import,
  });
  return { ...loaded, homes: at, paths, discovered, rights };
}

function givenPath(given: GivenPath, cwd: string, home: string): ConfiguredPath {
  const { path, from } = typeof given === "string" ? { path: given, from: 'the option "toolsPaths"' } : given;
  return { path: resolve(cwd, expandHome(path, home)), from };
}

export function projectInfo(directory: string, inspected: InspectedProject): ProjectInfo {
  const { discovered, homes, settings, ignored } = inspected;
  return { directory, ...discovered.project, homes, settings, ignored };
}

/** The settings files. They need not exist. */
interface SettingsPaths {
  readonly user: string;
  readonly project: string;
}

export function settingsPaths(at: {
  readonly homes: Homes;
  readonly discovered: { readonly project: { readonly root: string } };
}): SettingsPaths {
  return settingsIn(at.homes.toolwrightHome, at.discovered.project.root);
}

/** The files that permissions and trust rest on. They need not exist. */
export function rightsPaths(toolwrightHome: string, root: string): readonly string[] {
  const { user, project } = settingsIn(toolwrightHome, root);
  return [user, project, join(toolwrightHome, "trust.json")];
}

function settingsIn(toolwrightHome: string, root: string): SettingsPaths {
  return {
    user: join(toolwrightHome, "settings.json"),
    project: join(root, ".toolwright", "settings.json"),
  };
}
