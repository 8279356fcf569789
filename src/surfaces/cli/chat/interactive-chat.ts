import { inspectAgents } from "../../../agents/run/agent-status.ts";
import { knownAgents, loadAdapter } from "../../../agents/run/known-agents.ts";
import { defined } from "../../../platform/values/defined.ts";
import { agentContext } from "../../../toolbox/agent-context.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { AgentChoice } from "../../tui/chat-actions.ts";
import { type Invocation, optionValue } from "../args/command.ts";
import { withToolbox } from "../with-toolbox.ts";
import { type PermissionFlags, sayHowToResume, sendOptions, sessionToResume, warningsOf } from "./chat-options.ts";
import { agentFor } from "./chosen-agent.ts";

/** Opens the chat in the terminal, until the user leaves it. */
export async function interactiveChat(invocation: Invocation, { mode, rules }: PermissionFlags): Promise<number> {
  // The mode is that of the session, so that the user can change it.
  const options = { agents: knownAgents, sessions: "disk", permissions: { rules } } as const;
  return withToolbox(
    invocation,
    async (toolbox) => {
      const resumed = await sessionToResume(toolbox, invocation);
      const named = optionValue(invocation, "agent") ?? (resumed ? undefined : toolbox.project.settings.agents.default);
      const agent = named === undefined ? undefined : await agentFor(toolbox, resumed, invocation);
      const { model, ...turn } = sendOptions(invocation);
      const { runChat } = await import("../../tui/chat.ts");
      const { code, sessionID } = await runChat({
        toolbox,
        choices: { agent, model, mode },
        turn,
        ...(resumed ? { sessionID: resumed.id } : {}),
        env: invocation.terminal.env,
        color: invocation.terminal.stdout.colour,
        agents: () => agentChoices(toolbox, invocation),
        notices: warningsOf(toolbox, invocation),
      });
      if (sessionID !== undefined) sayHowToResume(sessionID, invocation, true);
      return code;
    },
    options,
  );
}

/** The agents and what they lack, as `toolwright agents` finds them, but without importing their packages. */
async function agentChoices({ project }: Toolbox, { terminal }: Invocation): Promise<readonly AgentChoice[]> {
  const context = agentContext(project, terminal.env);
  const found: AgentChoice[] = [];
  for await (const { name, status, install } of inspectAgents(context, { imports: false })) {
    const { builtins } = await loadAdapter(name, context);
    found.push({ name, isReady: status === "ready", builtins, ...defined({ install }) });
  }
  return found;
}
