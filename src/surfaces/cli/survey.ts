import { type InspectedProject, inspectProject } from "../../toolbox/inspect-project.ts";
import type { Invocation } from "./command.ts";

/** What the global options lead to, for commands that must not load tools. */
export function surveyFor({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env });
}

/** The same without `--trust`, which holds for one run: for commands that write down what holds afterwards. */
export function surveyAsStored({ globals, terminal }: Invocation): InspectedProject {
  return inspectProject({ ...globals, env: terminal.env, trust: false });
}
