import type { AgentContext } from "../core/coding-agent.ts";
import { defined } from "../platform/values/defined.ts";
import type { Environment } from "../settings/defaults.ts";
import type { ProjectInfo } from "./toolbox.ts";

/** Where the agents of a project run, with the user's settings for them. */
export function agentContext(
  { directory, root, trusted, homes, settings }: ProjectInfo,
  env: Environment,
): AgentContext {
  const { home, toolwrightHome } = homes;
  const { modules, programs } = settings.agents;
  const folder = defined({ modules });
  return { directory, root, trusted, home, toolwrightHome, env, ...folder, programs };
}
