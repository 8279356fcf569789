import type { ClientChoice } from "../../config/settings-file.ts";
import { matchText } from "../../core/wildcard.ts";
import { chooseTools, type ToolChoice } from "../../mcp/choose-tools.ts";
import type { ProtocolOptions } from "../../mcp/server-options.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";

/** Which tools a client is served: as the settings say for it, and over them the options of the command. */
export function servedToClient(
  options: ToolChoice,
  toolbox: Pick<Toolbox, "project">,
): Required<ProtocolOptions>["includes"] {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => isGiven(value)));
  const isChosen = chooseTools(given);
  return (tool, client) => {
    const { clients } = toolbox.project.settings;
    if (clients.length === 0) return isChosen(tool);
    const choices = clients.filter(([name]) => matchText(name, client?.name ?? "")).map(([, choice]) => choice);
    return chooseTools({ ...Object.assign({}, ...choices), ...given } as ClientChoice)(tool);
  };
}

/** An option that was left out says nothing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
