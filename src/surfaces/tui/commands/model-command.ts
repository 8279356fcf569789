import type { SelectItem } from "@earendil-works/pi-tui";
import type { ChatActions, ChatCommand } from "../chat-actions.ts";

/** The item for the agent's own choice. It is not the name of a model. */
const DEFAULT = "default";

/** `/model [NAME]`. Agents do not list their models, so the list has those of earlier sessions. */
export const modelCommand: ChatCommand = {
  name: "model",
  about: 'Chooses the model, as the agent names it; "default" is the choice of the agent.',
  argument: "[NAME]",
  complete: knownModels,
  async run(argument, chat) {
    const name = argument || (await chat.pick("Model (another one: /model NAME)", await knownModels(chat)))?.value;
    if (name === undefined) return;
    chat.setModel(name === DEFAULT ? undefined : name);
    const { agent, model } = chat.state;
    // A session keeps the model that it began with, unless another one is named.
    if (name === DEFAULT && model !== undefined) {
      chat.notice(
        `Model: ${model}, with which this session began. For the choice of ${agent || "the agent"}: /new, then /model ${DEFAULT}`,
        "warning",
      );
      return;
    }
    chat.notice(name === DEFAULT ? `Model: the choice of ${agent || "the agent"}.` : `Model: ${name}.`);
  },
};

/** The models of sessions with the same agent, the last used first. */
async function knownModels({ toolbox, state }: ChatActions): Promise<SelectItem[]> {
  const { sessions } = await (await toolbox.sessions.store()).list({ limit: 1_000, allProjects: true });
  const used = sessions.flatMap(({ agent, model }) => (agent === state.agent && model !== undefined ? [model] : []));
  const models = new Set([...(state.model === undefined ? [] : [state.model]), ...used]);
  const describe = (isCurrent: boolean, otherwise: string): string => (isCurrent ? "current" : otherwise);
  return [
    { value: DEFAULT, label: DEFAULT, description: describe(state.model === undefined, "the choice of the agent") },
    ...[...models].map((model) => ({
      value: model,
      label: model,
      description: describe(model === state.model, "used before"),
    })),
  ];
}
