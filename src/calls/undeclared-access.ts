import type { Settings } from "../settings/settings.ts";
import type { Call } from "./call.ts";
import type { Catalog } from "./pipeline-parts.ts";

/** Tools and agents for which a yes is cached. Agents choose their own names, so the number must be bounded. */
const MAX_CACHED = 1_000;

/**
 * Returns a function that tests whether a call may touch what it does not declare. Without session answers, that depends on
 * the tool, the agents, the mode, the settings and `callerIsAsked` only: a yes is cached for as long as the settings stay the same.
 * `decide` asks the rules, with or without the answers that people gave in the session of the call.
 */
export function createUndeclaredCheck(
  catalog: Catalog,
  decide: (call: Call, answers: "with answers" | "without answers") => boolean,
): (call: Call) => boolean {
  const cached = new Set<string>();
  let settings: Settings | undefined;
  return (call) => {
    // They differ between sessions.
    if (call.scope.agents.denials().length > 0) return decide(call, "with answers");
    const current = catalog.settings;
    if (current !== settings || cached.size >= MAX_CACHED) cached.clear();
    settings = current;
    const key = keyOf(call);
    if (cached.has(key)) return true;
    if (!decide(call, "without answers")) return decide(call, "with answers");
    cached.add(key);
    return true;
  };
}

/** A key that no other combination of a tool and agents has, whatever their names are. */
function keyOf({ name, scope: { agents, callerIsAsked } }: Call): string {
  const [agent, ...parents] = agents.names;
  const mode = agents.mode();
  const isPlain = parents.length === 0 && callerIsAsked && mode === undefined;
  return isPlain ? `${name}\0${agent}` : JSON.stringify([callerIsAsked, mode, name, agent, ...parents]);
}
