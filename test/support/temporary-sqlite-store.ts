import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStore } from "../../src/core/session-store.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import type { OpenedStore } from "./opened-store.ts";

/** A SQLite store in a temporary folder. */
export async function temporarySqliteStore(): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-"));
  const file = join(folder, "sessions.db");
  const stores: SessionStore[] = [];
  const openAnother = async (project = "/p"): Promise<SessionStore> => {
    const store = await openSqliteStore({ file, project });
    stores.push(store);
    return store;
  };
  return {
    store: await openAnother(),
    openAnother,
    dispose: async () => {
      await Promise.all(stores.map((store) => store.close()));
      rmSync(folder, { recursive: true });
    },
  };
}
