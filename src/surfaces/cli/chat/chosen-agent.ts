import { knownAgents } from "../../../agents/run/known-agents.ts";
import { AgentError } from "../../../core/agent-error.ts";
import type { SessionInfo } from "../../../core/session-log.ts";
import { agentContext } from "../../../toolbox/agent-context.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Invocation, optionValue } from "../args/command.ts";
import { UsageError } from "../args/usage-error.ts";

/** The name of the agent. Throws a `UsageError` if there is no such agent. */
export async function agentFor(
  { project }: Toolbox,
  resumed: SessionInfo | undefined,
  invocation: Invocation,
): Promise<string> {
  const name = optionValue(invocation, "agent") ?? resumed?.agent ?? project.settings.agents.default;
  const context = agentContext(project, invocation.terminal.env);
  if (name === undefined) {
    const names = knownAgents.names(context).join(", ");
    throw new UsageError(
      `No agent is named. Add --agent NAME, or set "agents": { "default": "NAME" } in your settings. Agents: ${names}.`,
      "unknown_agent",
    );
  }
  try {
    await knownAgents.create(name, context);
  } catch (error) {
    if (AgentError.is(error) && error.code === "unknown_agent") throw new UsageError(error.message, error.code);
  }
  return name;
}
