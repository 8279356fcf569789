import type { SessionTools } from "../core/coding-agent.ts";
import type { AgentView } from "../sessions/turns.ts";
import { isSelected } from "./builtin-selection.ts";
import type { Toolbox } from "./toolbox.ts";

/** The tools of a toolbox for an agent in a session. */
export function createAgentTools(toolbox: Toolbox, view: AgentView): SessionTools {
  const { sessionID, directory, builtins } = view;
  const agent = view.agent.name;
  const provider = providerOf(view);
  return {
    list: () =>
      toolbox
        .list({ sessionID, agent, ...(provider === undefined ? {} : { provider }) })
        .filter(({ source, name }) => source !== "builtin" || isSelected(name, builtins)),
    call: ({ name, input, callID, messageID = view.messageID(), signal }) =>
      toolbox.call({
        name,
        input,
        sessionID,
        messageID,
        agent,
        directory,
        ...(callID === undefined ? {} : { callID }),
        ...(signal === undefined ? {} : { signal }),
      }),
    onChange: (listener) => toolbox.on("change", listener),
  };
}

/** `anthropic`, or one model: `openai/gpt-5`. Undefined if the model does not say its provider. */
function providerOf({ agent: { provider }, model }: AgentView): string | undefined {
  if (provider !== undefined) return model === undefined ? provider : `${provider}/${model}`;
  return model?.includes(":") || model?.includes("/") ? model.replace(":", "/") : undefined;
}
