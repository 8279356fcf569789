import { limitsOf, NO_LIMITS } from "../client-limits/client-limits.ts";
import { fitTools } from "../client-limits/fit-tools.ts";
import type { Fit } from "../mcp/server-options.ts";

/**
 * Adapts tools to the limits of a client. Reports each changed tool once for each known client. `server` is the name of this
 * server in the client, if it is not "toolwright".
 */
export function fitToClient(say: (text: string) => void, server?: string): Fit {
  const reported = new Map<string, Set<string>>();
  return (tools, client) => {
    const limits = limitsOf(client);
    const fitted = fitTools(tools, limits, server);
    const known = reported.get(limits.id) ?? new Set();
    reported.set(limits.id, known);
    const changed = fitted.flatMap(({ name, changes }) => (changes.length > 0 && !known.has(name) ? [name] : []));
    for (const name of changed) known.add(name);
    if (changed.length > 0 && limits !== NO_LIMITS) {
      say(
        `Some tools are changed for ${limits.title}, which does not accept their names or schemas: ${changed.join(", ")}. To see the changes, run: toolwright check --client ${limits.id}`,
      );
    }
    return fitted.map(({ tool }) => tool);
  };
}
