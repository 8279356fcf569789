import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SessionStore } from "../core/session-store.ts";
import type { DatabaseStatus } from "../sessions/store/database-status.ts";
import type { Settings } from "../settings/settings.ts";

/** The project of a store, and where the user's database is. */
interface StoreLocation {
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
export async function openSessionStore(
  kind: "memory" | "disk",
  { toolwrightHome, root, settings }: StoreLocation,
): Promise<SessionStore> {
  if (kind === "disk") {
    const { openSqliteStore } = await import("../sessions/store/sqlite-store.ts");
    return openSqliteStore({ file: sessionsFile(toolwrightHome), project: root, limits: settings.sessions });
  }
  const { createMemoryStore } = await import("../sessions/store/memory-store.ts");
  return createMemoryStore({ project: root });
}

/** Checks the user's session database. Undefined if there is none. Rejects with a `SessionError` if it cannot be used. */
export async function sessionDatabaseStatus(toolwrightHome: string): Promise<DatabaseStatus | undefined> {
  const file = sessionsFile(toolwrightHome);
  if (!existsSync(file)) return undefined;
  const { databaseStatus } = await import("../sessions/store/database-status.ts");
  return databaseStatus(file);
}
