import { inspectAgents } from "../../agents/run/agent-status.ts";
import { findInstallations } from "../../agents/setup/find-installations.ts";
import type { ApiAgents, ApiConfiguredAgent, ApiRunnableAgent } from "../../core/api-page.ts";
import { defined } from "../../platform/values/defined.ts";
import { agentContext } from "../../toolbox/agent-context.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { installAgain } from "./agent-findings.ts";
import { environmentOf } from "./agent-targets.ts";
import type { Invocation } from "./args/command.ts";
import { ownCommand, ownLaunch } from "./own-launch.ts";

/**
 * Returns a function that looks for the agents on this machine, as `toolwright agents` and `toolwright doctor` do, but starts
 * no program and imports no package.
 */
export function servedAgents(invocation: Invocation, toolbox: Toolbox): () => Promise<ApiAgents> {
  return lookAfterRequest(async () => ({
    runnable: await runnableAgents(invocation, toolbox),
    configured: configuredAgents(invocation),
  }));
}

/**
 * One look at a time, shared by all requests that came before it began. A request never gets a look that began before the request:
 * a person who looks again expects what is there now.
 */
function lookAfterRequest<T>(look: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    return look();
  };
  return () => {
    next ??= last.then(begin);
    last = next.catch(() => undefined);
    return next;
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
      ...defined({ version, problem: problem === "" ? undefined : problem, install }),
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
