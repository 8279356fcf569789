import type { SessionHistory } from "../core/coding-agent.ts";
import type { SessionStore } from "../core/session-store.ts";
import type { LocalSession } from "./local-session.ts";
import { storedEvents } from "./stored-events.ts";

/** The log of a session, as its agent reads it. */
export function sessionHistory(store: SessionStore, local: LocalSession): SessionHistory {
  return {
    events: (types) => storedEvents(store, local.id, types),
    get: (key) => local.state.agentValue(key),
    set: async (key, value) => {
      await local.record({ type: "state.set", of: "agent", key, value });
    },
  };
}
