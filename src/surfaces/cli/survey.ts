import { homedir } from "node:os";
import { type Homes, homes } from "../../config/options.ts";
import { type LoadedSettings, loadSettings } from "../../config/settings.ts";
import { type Discovered, discover } from "../../discovery/discover.ts";
import { projectOf } from "../../discovery/repository.ts";
import { isTrusted } from "../../discovery/trust.ts";
import type { Invocation } from "./command.ts";

/** What is there, seen without running any of it. */
export interface Survey {
  readonly homes: Homes;
  readonly loaded: LoadedSettings;
  readonly discovered: Discovered;
}

/** Looks around for commands that must not load tools. Never throws. */
export function survey({ globals, terminal }: Invocation, cwd: string = globals.cwd): Survey {
  const { env } = terminal;
  const at = homes(env, homedir(), { cwd: globals.cwd });
  const { home, toolwrightHome } = at;
  const project = projectOf(cwd);
  const loaded = loadSettings({
    projectRoot: project,
    toolwrightHome,
    trusted: (parents) => isTrusted({ project, toolwrightHome, home, parents, env, flag: globals.trust }),
  });
  const flags = globals.toolsPaths.map((path) => ({ path, from: "--tools-path" }));
  const discovered = discover({
    cwd,
    home,
    toolwrightHome,
    env,
    paths: [...flags, ...loaded.settings.tools.paths],
    parents: loaded.settings.trust.parents,
    trust: globals.trust,
  });
  return { homes: at, loaded, discovered };
}

/** The same without `--trust`, which holds for one run: for commands that write down what holds afterwards. */
export function surveyAsStored(invocation: Invocation): Survey {
  return survey({ ...invocation, globals: { ...invocation.globals, trust: false } });
}
