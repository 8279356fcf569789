import { profileOf } from "../../fitting/clients.ts";
import { fitTools } from "../../fitting/fit-tools.ts";
import type { Fit } from "../../mcp/options.ts";

/**
 * Makes tools fit for whichever client asks. `say` is told once for each client which tools are not sent as written.
 * `server` is what clients call us, where they do not call us by our own name.
 */
export function fitToClient(say: (text: string) => void, server?: string): Fit {
  const told = new Set<string>();
  return (tools, client) => {
    const profile = profileOf(client);
    const fitted = fitTools(tools, profile, server);
    const changed = fitted.flatMap(({ name, changes }) => (changes.length > 0 ? [name] : []));
    if (changed.length > 0 && !told.has(profile.id)) {
      told.add(profile.id);
      say(
        `Not everything can be sent to ${profile.title} as it was written: ${changed.join(", ")}. To see what is changed, run: toolwright check --client ${profile.id}`,
      );
    }
    return fitted.map(({ tool }) => tool);
  };
}
