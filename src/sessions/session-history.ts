import type { SessionHistory } from "../core/coding-agent.ts";
import type { SessionStore } from "../core/session-store.ts";
import type { LocalSession } from "./local-session.ts";

/** How many events are read at a time. */
const PAGE = 200;

/** The log of a session, as its agent reads it. */
export function sessionHistory(store: SessionStore, local: LocalSession): SessionHistory {
  return {
    async *events(types) {
      let position = 0;
      for (;;) {
        const page = await store.read(local.id, position, PAGE, types);
        yield* page;
        const last = page.at(-1);
        if (!last) return;
        position = last.position;
      }
    },
    get: (key) => local.state.agentValue(key),
    set: async (key, value) => {
      await local.record({ type: "state.set", of: "agent", key, value });
    },
  };
}
