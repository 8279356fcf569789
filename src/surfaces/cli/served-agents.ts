import { findInstallations } from "../../agent-configs/find-installations.ts";
import { inspectAgents } from "../../agents/agent-status.ts";
import type { ApiAgents, ApiConfiguredAgent, ApiRunnableAgent } from "../../core/api-page.ts";
import { agentContext } from "../../toolbox/agent-context.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { installAgain } from "./agent-findings.ts";
import { environmentOf } from "./agent-targets.ts";
import type { Invocation } from "./command.ts";
import { ownCommand, ownLaunch } from "./own-launch.ts";

/** How long an answer is used again, if several pages ask at once. A person who looks again expects what is there now. */
const CACHED_MS = 1_000;

/**
 * Returns a function that looks for the agents on this machine, as `toolwright agents` and `toolwright doctor` do, but starts
 * no program and imports no package.
 */
export function servedAgents(invocation: Invocation, toolbox: Toolbox): () => Promise<ApiAgents> {
  let cached: { readonly at: number; readonly agents: Promise<ApiAgents> } | undefined;
  const look = async (): Promise<ApiAgents> => ({
    runnable: await runnableAgents(invocation, toolbox),
    configured: configuredAgents(invocation),
  });
  return () => {
    const now = performance.now();
    if (!cached || now - cached.at > CACHED_MS) cached = { at: now, agents: look() };
    return cached.agents;
  };
}

async function runnableAgents({ terminal }: Invocation, { project }: Toolbox): Promise<ApiRunnableAgent[]> {
  const runnable: ApiRunnableAgent[] = [];
  const context = agentContext(project, terminal.env);
  for await (const { name, status, needs, install } of inspectAgents(context, { imports: false })) {
    const version = needs.find((need) => need.version !== undefined)?.version;
    const problem = needs.flatMap((need) => need.problem ?? []).join(" ");
    runnable.push({
      name,
      status,
      ...(version === undefined ? {} : { version }),
      ...(problem === "" ? {} : { problem }),
      ...(install === undefined ? {} : { install }),
      isDefault: name === project.settings.agents.default,
    });
  }
  return runnable;
}

/** The variables that an entry sets may be secret, and are left out. */
function configuredAgents(invocation: Invocation): ApiConfiguredAgent[] {
  return findInstallations(environmentOf(invocation), ownLaunch()).map(
    ({ id, name, present, installations, problems }) => {
      const stale = installations.find(({ status }) => status === "stale");
      return {
        id,
        name,
        present,
        installations: installations.map(({ level, file, name: server, status }) => ({
          level,
          file,
          name: server,
          status,
        })),
        problems,
        install: (stale ? installAgain(id, stale) : `toolwright install ${id}`).replace("toolwright", () =>
          ownCommand(),
        ),
      };
    },
  );
}
