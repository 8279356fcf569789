import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { retryWhileBusy } from "./busy-retry.ts";
import { checkVersion, prepareDatabaseFile } from "./database-file.ts";
import { migrate, SCHEMA_VERSION } from "./session-schema.ts";
import { openSqlite, type SqlDatabase } from "./sqlite-driver.ts";
import { openingFailure } from "./store-failure.ts";

/** An open database with the current schema. */
export interface OpenDatabase {
  /** The path with all links resolved, unless `isInMemory`. */
  readonly file: string;
  readonly database: SqlDatabase;
  /** The limit of a database in memory. */
  readonly maxBytes?: number;
}

/** The path of a database that only this process has, and that ends with it. */
const IN_MEMORY = ":memory:";

/** Opens an empty database in memory. What does not fit into it is refused with "store_full". */
export function openInMemory(maxBytes: number): OpenDatabase {
  const database = openSqlite(IN_MEMORY);
  setUp(database, IN_MEMORY);
  const pageSize = Number(database.prepare("PRAGMA page_size").get()?.page_size);
  database.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / pageSize)}`);
  return { file: IN_MEMORY, database, maxBytes };
}

export function isInMemory(file: string): boolean {
  return file === IN_MEMORY;
}

/** Opens the session database, and creates it if it is missing. Rejects with a `SessionError`. */
export async function openDatabase(path: string): Promise<OpenDatabase> {
  let database: SqlDatabase | undefined;
  try {
    const file = prepareDatabaseFile(path);
    const opened = openSqlite(file);
    database = opened;
    await retryWhileBusy(file, () => setUp(opened, file));
    return { file, database };
  } catch (error) {
    const failure = openingFailure(error, path);
    tryOrUndefined(() => database?.close());
    throw failure;
  }
}

/** May be repeated. */
function setUp(database: SqlDatabase, file: string): void {
  // The lock is waited for without blocking the event loop: see `retryWhileBusy`.
  database.exec("PRAGMA busy_timeout = 0");
  const version = versionOf(database);
  checkVersion(file, version);
  if (version < SCHEMA_VERSION) migrateOnce(database, file);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
}

/** Another process may migrate it at the same time. */
function migrateOnce(database: SqlDatabase, file: string): void {
  // Has an effect only before the first table is created. Space of removed sessions can then be given back.
  database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  database.exec("BEGIN IMMEDIATE");
  try {
    const version = versionOf(database);
    checkVersion(file, version);
    if (version < SCHEMA_VERSION) migrate(database, version);
    database.exec("COMMIT");
  } catch (error) {
    tryOrUndefined(() => database.exec("ROLLBACK"));
    throw error;
  }
}

function versionOf(database: SqlDatabase): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version);
}
