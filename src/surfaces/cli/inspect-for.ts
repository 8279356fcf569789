import { type InspectedProject, inspectProject } from "../../toolbox/inspect-project.ts";
import type { Invocation } from "./command.ts";

/** The project of the global options, for commands that must not load tools. */
export function inspectFor({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env });
}

/** Like `inspectFor`, but ignores `--trust`: for commands whose changes outlast this run. */
export function inspectWithoutTrustFlag({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env, trust: false });
}
