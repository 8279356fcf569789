import { join, resolve } from "node:path";
import type { Environment } from "../config/options.ts";
import type { Log } from "../core/log.ts";
import { notify } from "../core/notify.ts";
import type { ToolFile } from "../discovery/place.ts";
import { startPlace } from "../discovery/start-place.ts";
import { LogFile } from "../supervisor/log-file.ts";
import { CodeHosts } from "./code-tools.ts";
import { bunMissing, createHosts } from "./create-hosts.ts";
import { type InspectedProject, inspectProject } from "./inspect-project.ts";
import { ServedToolbox } from "./served-toolbox.ts";
import type { Toolbox, ToolboxOptions } from "./toolbox.ts";

/** Finds, checks and serves tools for a directory. Never rejects because of a tool file. */
export async function openToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { toolbox, reading } = await prepare(options);
  await reading;
  return toolbox;
}

/** The same, but answers before the files have been read, for whoever has to answer others meanwhile: see `ready`. */
export async function beginToolbox(options: ToolboxOptions = {}): Promise<Toolbox> {
  const { toolbox, reading } = await prepare(options);
  // What goes wrong with it would be a fault of ours; whoever waits finds no tools then, and hears of it at the next reload.
  reading.catch(() => {});
  return toolbox;
}

async function prepare(options: ToolboxOptions): Promise<{ toolbox: Toolbox; reading: Promise<unknown> }> {
  const directory = resolve(options.cwd ?? process.cwd());
  const { env = process.env } = options;
  /** What hosts are started with. A later look changes it in place: the project may have become trusted by then. */
  const hostEnv: Record<string, string | undefined> = {};
  const look = (): InspectedProject => {
    const seen = lookAround(directory, env, options);
    Object.assign(hostEnv, startPlace(env, seen.discovered.project, seen.homes.home).env);
    return seen;
  };
  const found = look();
  const logFile = new LogFile(join(found.homes.toolwrightHome, "logs", "tools.log"));
  const listeners = new Set<Log>();
  const log: Log = (text, by) => {
    logFile.write(text);
    for (const listener of [...listeners]) notify((said) => listener(said, by), text);
  };
  const worktree = found.discovered.project.root;
  const { settings, homes } = found;
  const isolation = options.isolation ?? settings.isolation;
  const files = await createHosts({
    cwd: directory,
    worktree,
    env: hostEnv,
    home: homes.home,
    settings,
    isolation,
    log,
  });
  const { importMs } = settings.limits;
  const code =
    options.tools && (await CodeHosts.open(files, options.tools, { cwd: directory, worktree, importMs, log }));
  const given = code ? await code.entries() : [];
  const hosts = code ?? files;
  const toolbox = new ServedToolbox({ options, directory, env, hosts, given, look, logListeners: listeners }, found);
  return { toolbox, reading: toolbox.begin() };
}

/** What the options say stands over every settings file. */
function lookAround(cwd: string, env: Environment, options: ToolboxOptions): InspectedProject {
  const { toolsPaths = [], trust = false } = options;
  const seen = inspectProject({ cwd, env, toolsPaths, trust });
  const settings = { ...seen.settings, limits: { ...seen.settings.limits, ...options.limits } };
  const { discovered } = seen;
  const isGiven = ({ place }: ToolFile): boolean => place.kind === "configured";
  const files = options.onlyGiven ? discovered.files.filter(isGiven) : discovered.files;
  const noBun = bunMissing({ env, home: seen.homes.home, worktree: discovered.project.root, settings });
  const warnings = noBun
    ? [...seen.warnings, { file: join(seen.homes.toolwrightHome, "settings.json"), message: NO_BUN }]
    : seen.warnings;
  return { ...seen, settings, warnings, discovered: { ...discovered, files } };
}

const NO_BUN =
  '"runtime" is "bun", but Bun was not found, and one in this project does not count: tools run on Node. Install Bun, or take the setting out.';
