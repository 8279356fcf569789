import { matchText } from "../../platform/text/wildcard.ts";
import { agentKey } from "../../settings/permissions/agent-name.ts";
import type { ClientChoice } from "../../settings/settings-file.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { chooseTools, type ToolChoice } from "../mcp/choose-tools.ts";
import type { ProtocolOptions } from "../mcp/server-options.ts";

/** Which tools a client is served, by the settings for this client. The options of the command override them. */
export function servedToClient(
  options: ToolChoice,
  toolbox: Pick<Toolbox, "project">,
): Required<ProtocolOptions>["includes"] {
  const overrides = Object.fromEntries(Object.entries(options).filter(([, value]) => wasSet(value)));
  const isChosen = chooseTools(overrides);
  return (tool, client) => {
    const { clients } = toolbox.project.settings;
    if (clients.length === 0) return isChosen(tool);
    const key = agentKey(client?.name ?? "");
    const choices = clients.filter(([name]) => matchText(agentKey(name), key)).map(([, choice]) => choice);
    return chooseTools({ ...Object.assign({}, ...choices), ...overrides } as ClientChoice)(tool);
  };
}

/** False for an option that was left out. */
function wasSet(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
