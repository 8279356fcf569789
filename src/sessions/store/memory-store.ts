import type { SessionStore } from "../../core/session-store.ts";
import { DEFAULTS } from "../../settings/defaults.ts";
import { openInMemory } from "./open-database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { StoreParts } from "./store-parts.ts";
import { StoreUpkeep } from "./store-upkeep.ts";

const DEFAULT_MAX_BYTES = 256_000_000;

interface MemoryStoreOptions {
  /** The root of the project. */
  readonly project: string;
  /** The maximum size of all sessions. Beyond it, idle sessions are dropped, those that changed longest ago first. */
  readonly maxBytes?: number;
}

/** Sessions that end with the process. */
export function createMemoryStore({ project, maxBytes = DEFAULT_MAX_BYTES }: MemoryStoreOptions): SessionStore {
  const parts = new StoreParts(openInMemory(maxBytes));
  const upkeep = new StoreUpkeep(parts, DEFAULTS.sessions);
  upkeep.beginAlone();
  const key = parts.tables.addProject(project, DEFAULTS.sessions.keepDays);
  return new SqliteStore(parts, upkeep, { key, root: project });
}
