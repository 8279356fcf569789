import { join, resolve } from "node:path";
import { CodeHosts, namedValues } from "../catalog/code-hosts.ts";
import { bunMissing, createHosts } from "../catalog/create-hosts.ts";
import { startOptions } from "../catalog/discovery/start-options.ts";
import type { LoadedFile } from "../catalog/hosts/loaded-file.ts";
import { LogFile } from "../catalog/hosts/log-file.ts";
import { type InspectedProject, inspectProject } from "../catalog/inspect-project.ts";
import type { Log } from "../core/log.ts";
import { modeNamed } from "../core/permission-mode.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import { OwnRuns } from "../platform/processes/own-runs.ts";
import { Listeners } from "../platform/values/listeners.ts";
import type { Environment } from "../settings/defaults.ts";
import type { WholeSettings } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { SubAgents } from "./sub-agents.ts";
import { taskKinds } from "./task-kinds.ts";
import type { RunPermissions, ToolboxEvents, ToolboxOptions } from "./toolbox.ts";

/** What the catalog of tools and the toolbox are made of. */
export interface ToolboxParts {
  readonly options: ToolboxOptions;
  readonly directory: string;
  readonly env: Environment;
  readonly hosts: Hosts;
  /** The programs of hooks, and of tools that run in this process. */
  readonly runs: OwnRuns;
  /** The host of tools in the program's code, if it may have some. Part of `hosts`. */
  readonly code: CodeHosts | undefined;
  /** Tools that the program passed as values. */
  readonly codeEntries: readonly LoadedFile[];
  readonly inspect: () => InspectedProject;
  readonly agentKinds: (settings: Settings) => SubAgents["kinds"];
  readonly logs: Listeners<ToolboxEvents["log"]>;
}

/** Inspects the project and prepares hosts for it. Starts no process, and reads no tool file. */
export async function prepareParts(
  options: ToolboxOptions,
): Promise<{ readonly parts: ToolboxParts; readonly inspected: InspectedProject }> {
  const directory = resolve(options.cwd ?? process.cwd());
  const { env = process.env } = options;
  /** The environment of new hosts. Each inspection updates it in place, since the project may have become trusted. */
  const hostEnv: Record<string, string | undefined> = {};
  const whole: WholeSettings = new Map();
  const inspect = (): InspectedProject => {
    const inspected = inspectWithOptions(directory, env, options, whole);
    Object.assign(hostEnv, startOptions(env, inspected.discovered.project, inspected.homes.home).env);
    return inspected;
  };
  const inspected = inspect();
  const logFile = new LogFile(join(inspected.homes.toolwrightHome, "logs", "tools.log"));
  const logs = new Listeners<ToolboxEvents["log"]>();
  const log: Log = (text, by) => {
    logFile.write(text);
    logs.emit({ text, source: by });
  };
  const worktree = inspected.discovered.project.root;
  const { settings, homes } = inspected;
  const isolation = options.isolation ?? settings.isolation;
  const runs = new OwnRuns();
  const files = await createHosts({
    cwd: directory,
    worktree,
    env: hostEnv,
    home: homes.home,
    settings,
    isolation,
    log,
    runs,
  });
  const { importMs } = settings.limits;
  const usesCode = options.tools !== undefined || options.agents !== undefined;
  const code = usesCode ? new CodeHosts(files, { cwd: directory, worktree, importMs, log, runs }) : undefined;
  const codeEntries = code && options.tools ? await code.loadValues(namedValues(options.tools)) : [];
  const hosts = code ?? files;
  const agentKinds = (current: Settings): SubAgents["kinds"] =>
    options.subagents?.kinds ?? (options.agents && taskKinds(current));
  const parts = { options, directory, env, hosts, code, runs, codeEntries, inspect, agentKinds, logs };
  return { parts, inspected };
}

/** The options of a toolbox override its settings files. */
function inspectWithOptions(
  cwd: string,
  env: Environment,
  options: ToolboxOptions,
  whole: WholeSettings,
): InspectedProject {
  const { toolsPaths = [], onlyGiven, trust = false } = options;
  const inspected = inspectProject({ cwd, env, toolsPaths, onlyGiven, trust, whole });
  const settings = {
    ...withPermissions(inspected.settings, options.permissions),
    limits: { ...inspected.settings.limits, ...options.limits },
  };
  const { discovered, homes } = inspected;
  const warnings = bunMissing({ env, home: homes.home, worktree: discovered.project.root, settings })
    ? [...inspected.warnings, { file: join(homes.toolwrightHome, "settings.json"), message: NO_BUN }]
    : inspected.warnings;
  return { ...inspected, settings, warnings };
}

function withPermissions(settings: Settings, { mode: name, rules = [] }: RunPermissions = {}): Settings {
  const { user, project } = settings.permissions;
  const mode = modeNamed(name);
  return {
    ...settings,
    mode: mode === undefined ? settings.mode : { ...settings.mode, user: mode },
    permissions: { user: [...user, ...rules], project },
  };
}

const NO_BUN =
  '"runtime" is "bun", but Bun is not installed (a Bun inside the project does not count), so tools run on Node. Install Bun, or remove the setting.';
