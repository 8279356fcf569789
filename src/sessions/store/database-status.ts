import { statSync } from "node:fs";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { retryWhileBusy } from "./busy-retry.ts";
import { checkIntegrity } from "./integrity-check.ts";
import { openDatabase } from "./open-database.ts";
import { storeFailure } from "./store-failure.ts";

/** What the session database holds, for all projects. */
export interface DatabaseStatus {
  readonly file: string;
  readonly sessions: number;
  readonly bytes: number;
}

/** Checks the whole database, which must exist. Rejects with a `SessionError` if it cannot be used. */
export async function databaseStatus(path: string): Promise<DatabaseStatus> {
  const opened = await openDatabase(path);
  const { file, database } = opened;
  try {
    await checkIntegrity(opened);
    return await retryWhileBusy(file, () => {
      const count = database.prepare("SELECT count(*) AS sessions FROM sessions").get();
      return { file, sessions: Number(count?.sessions), bytes: statSync(file).size };
    });
  } catch (error) {
    throw storeFailure(error, file);
  } finally {
    tryOrUndefined(() => database.close());
  }
}
