import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";

/** The project of a store, and where the user's database is. */
export interface StoreLocation {
  readonly toolwrightHome: string;
  /** The root of the project. */
  readonly root: string;
  readonly settings: Settings;
}

/** The user's session database. */
export function sessionsFile(toolwrightHome: string): string {
  return join(toolwrightHome, "sessions.db");
}

/** Opens the store of a project's sessions. Its code is loaded on use: most programs need no session. */
export async function openSessionStore(kind: "memory" | "disk", location: StoreLocation): Promise<SessionStore> {
  throw new SessionError("store_failed", `No session store in ${kind} for ${location.root}.`);
}
