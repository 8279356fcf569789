import type { SelectItem } from "@earendil-works/pi-tui";
import { nearest, suggestion } from "../../../platform/text/nearest.ts";
import { defined } from "../../../platform/values/defined.ts";
import type { AgentChoice, ChatActions, ChatCommand } from "../chat-actions.ts";

/** `/agent [NAME]`. */
export const agentCommand: ChatCommand = {
  name: "agent",
  about: "Chooses the agent that runs the next turn.",
  argument: "[NAME]",
  complete: async (chat) => (await chat.agents()).map((agent) => toItem(agent, chat)),
  async run(argument, chat) {
    const agents = await chat.agents();
    const name = argument || (await pickAgent(agents, chat));
    if (name === undefined) return;
    const agent = agents.find((each) => each.name === name);
    if (!agent) throw new Error(unknownAgent(name, agents));
    if (!agent.isReady) throw new Error(notReady(agent));
    const { model } = chat.state;
    const isOther = chat.state.agent !== name;
    chat.setAgent(name);
    // Agents name models differently.
    if (isOther && model !== undefined) chat.setModel(undefined);
    chat.notice(
      `Agent: ${name}.${isOther && model !== undefined ? " It chooses the model; to choose one: /model NAME" : ""}`,
    );
  },
};

async function pickAgent(agents: readonly AgentChoice[], chat: ChatActions): Promise<string | undefined> {
  const picked = await chat.pick(
    "Agent",
    agents.toSorted((a, b) => Number(b.isReady) - Number(a.isReady)).map((agent) => toItem(agent, chat)),
  );
  return picked?.value;
}

function toItem({ name, isReady, install }: AgentChoice, { state }: ChatActions): SelectItem {
  const missing = install === undefined ? "not installed" : `not installed: ${install}`;
  const description = isReady ? (state.agent === name ? "current" : undefined) : missing;
  return { value: name, label: name, ...defined({ description }) };
}

function unknownAgent(name: string, agents: readonly AgentChoice[]): string {
  const names = agents.map((agent) => agent.name);
  return `There is no agent "${name}". ${suggestion(nearest(name, names)) || `Agents: ${names.join(", ")}.`}`;
}

function notReady({ name, install }: AgentChoice): string {
  const next =
    install === undefined ? "To see what is missing, run: toolwright agents" : `To install it, run: ${install}`;
  return `The agent "${name}" is not installed. ${next}`;
}
