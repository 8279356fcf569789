import { type InspectedProject, inspectProject } from "../../catalog/inspect-project.ts";
import type { Invocation } from "./args/command.ts";

/** The project of the global options, for commands that must not load tools. */
export function inspectFor({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env });
}

/** Like `inspectFor`, but ignores `--trust`: for commands whose changes outlast this run. */
export function inspectWithoutTrustFlag({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env, trust: false });
}
