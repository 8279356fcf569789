import { type NewEvent, SessionError, type SessionStore } from "../../src/core/session-store.ts";

/** The store, but it refuses to store these events. */
export function refusingStore(
  store: SessionStore,
  isRefused: (event: NewEvent) => boolean,
  error: SessionError = new SessionError("store_full", "The disk is full."),
): SessionStore {
  return new Proxy(store, {
    get: (target, key: keyof SessionStore) => {
      const own = (target[key] as ((...args: unknown[]) => unknown) | undefined)?.bind(target);
      if (key !== "append" && key !== "claim") return own;
      return async (...args: unknown[]) => {
        const events = args.filter(Array.isArray).flat() as NewEvent[];
        if (events.some(isRefused)) throw error;
        return own?.(...args);
      };
    },
  });
}
