import type { Settings } from "../config/settings.ts";
import type { Call } from "./call.ts";

/** What decides whether calls are let through whatever they do. */
export interface OpenToAllOptions {
  readonly settings: () => Settings;
  /** The agents on whose behalf a call is made, its own first. */
  readonly agentsOf: (sessionID: string, agent: string) => readonly string[];
  /** Asks the rules about what a call does not declare, with or without what people have said yes to in its session. */
  readonly decide: (call: Call, answers: "with answers" | "without answers") => boolean;
}

/** Tools and agents of which it is remembered that the rules say yes; clients name themselves as they like. */
const MOST = 1_000;

/**
 * Whether a call may do what it does not declare. That depends on the tool, the agents and the settings only: where the
 * rules say yes, they are asked once for as long as the settings stay the same.
 */
export function createOpenToAll({ settings, agentsOf, decide }: OpenToAllOptions): (call: Call) => boolean {
  const open = new Set<string>();
  let under: Settings | undefined;
  return (call) => {
    const now = settings();
    if (now !== under || open.size >= MOST) open.clear();
    under = now;
    const who = whoOf(call, agentsOf);
    if (open.has(who)) return true;
    if (!decide(call, "without answers")) return decide(call, "with answers");
    open.add(who);
    return true;
  };
}

/** One text for the tool and the agents of a call, which no other tool and agents have, whatever they are called. */
function whoOf({ name, context }: Call, agentsOf: OpenToAllOptions["agentsOf"]): string {
  const [agent, ...above] = agentsOf(context.sessionID, context.agent);
  return above.length === 0 ? `${name}\0${agent}` : JSON.stringify([name, agent, ...above]);
}
