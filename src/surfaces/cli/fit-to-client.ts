import { limitsOf, NO_LIMITS } from "../../fitting/client-limits.ts";
import { fitTools } from "../../fitting/fit-tools.ts";
import type { Fit } from "../../mcp/server-options.ts";

/**
 * Makes tools fit for whichever client asks. `say` is told of each tool once for each client where it is not sent as
 * written, unless nothing is known of the client: then it is only the output, which is sent in the same way to all.
 * `server` is what clients call us, where they do not call us by our own name.
 */
export function fitToClient(say: (text: string) => void, server?: string): Fit {
  const told = new Map<string, Set<string>>();
  return (tools, client) => {
    const limits = limitsOf(client);
    const fitted = fitTools(tools, limits, server);
    const known = told.get(limits.id) ?? new Set();
    told.set(limits.id, known);
    const changed = fitted.flatMap(({ name, changes }) => (changes.length > 0 && !known.has(name) ? [name] : []));
    for (const name of changed) known.add(name);
    if (changed.length > 0 && limits !== NO_LIMITS) {
      say(
        `Not everything can be sent to ${limits.title} as it was written: ${changed.join(", ")}. To see what is changed, run: toolwright check --client ${limits.id}`,
      );
    }
    return fitted.map(({ tool }) => tool);
  };
}
