import { isSelected } from "../catalog/builtin-selection.ts";
import type { RegistryEntry, ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { SessionTools } from "../core/coding-agent.ts";
import { matchText } from "../platform/text/wildcard.ts";
import { defined } from "../platform/values/defined.ts";
import type { SessionAgent } from "../sessions/agent-attachments.ts";
import { currentMessageID } from "../sessions/local-session.ts";
import { filtersOf, type ToolFilter } from "../sessions/sub-agent-limits.ts";
import { callInTurn } from "../sessions/turn-calls.ts";
import type { Toolbox, View } from "./toolbox.ts";

/** The tools that were registered with the agent of a session, and the list with them. */
export interface AgentToolbox extends Toolbox {
  list(view?: View, registered?: ReadonlyMap<string, RegistryEntry>): readonly ToolInfo[];
}

/** The tools of a toolbox, and those that were registered with the agent, for a session. */
export function createAgentTools(
  toolbox: AgentToolbox,
  view: SessionAgent,
  registered: ReadonlyMap<string, RegistryEntry>,
): SessionTools {
  const { sessionID, directory, name: agent, current } = view;
  const provider = providerOf(view);
  const has = (tool: ToolInfo): boolean => isFor(tool, view) && isWithinLimits(tool, view, toolbox);
  return {
    list: () => toolbox.list({ sessionID, agent, ...defined({ provider }) }, registered).filter(has),
    call: (request) =>
      callInTurn(current.turn, request, ({ name, input, callID, messageID = currentMessageID(current), signal }) => {
        const call = { name, input, ...defined({ callID, signal }) };
        const context = { sessionID, messageID, agent, directory, ...defined({ entry: registered.get(name) }) };
        return toolbox.call({ ...call, ...context, has, caller: "agent", callerIsAsked: false });
      }),
    onChange: (listener) => toolbox.on("change", listener),
  };
}

function isFor(tool: ToolInfo, { only, builtins, isSubAgent }: SessionAgent): boolean {
  if (isSubAgent && tool.subagents === false) return false;
  return admits({ ...(only ? { tools: only } : {}), builtins }, tool);
}

function isWithinLimits(tool: ToolInfo, { name, limits }: SessionAgent, { project }: Toolbox): boolean {
  const { subagents } = project.settings;
  const known = limits();
  // A task may continue the session as another kind.
  const kind = known && subagents[name];
  return [...filtersOf(known, subagents), ...(kind ? [kind] : [])].every((filter) => admits(filter, tool));
}

/** Whether a filter lets an agent have a tool. A list of tools selects built-in tools too, so `builtins` does not count beside it. */
export function admits({ tools, builtins }: ToolFilter, { name, source }: ToolInfo): boolean {
  if (tools) return tools.some((pattern) => matchText(pattern, name));
  return builtins === undefined || source !== "builtin" || isSelected(name, builtins);
}

/** `anthropic`, or one model: `openai/gpt-5`. Undefined if the model does not say its provider. */
function providerOf({ agent: { provider }, model }: SessionAgent): string | undefined {
  if (provider !== undefined) return model === undefined ? provider : `${provider}/${model}`;
  return model?.includes(":") || model?.includes("/") ? model.replace(":", "/") : undefined;
}
