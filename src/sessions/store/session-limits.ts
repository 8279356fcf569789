import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** How long sessions are kept, and the size of the database. */
export interface StoreLimits {
  /** For the sessions of the store's own project. */
  readonly keepDays: number;
  /** For the sessions of all projects. */
  readonly maxMb: number;
}

const DAY = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;
/** Unused pages that stay in the file, for new events. */
const SPARE_PAGES = 256;
/** The maximum number of pages that one transaction gives back. */
const STEP_PAGES = 500;

/** Finds the sessions to remove, and returns unused space to the file system. */
export class SessionLimits {
  readonly #database: SqlDatabase;
  readonly #maxBytes: number;
  readonly #expired: SqlStatement;
  readonly #oldest: SqlStatement;
  readonly #pages: SqlStatement;
  readonly #unused: SqlStatement;
  readonly #pageSize: number;

  constructor(database: SqlDatabase, maxMb: number) {
    this.#database = database;
    this.#maxBytes = maxMb * MB;
    this.#expired = database.prepare(
      `SELECT sessions.key FROM projects JOIN sessions ON project = projects.key
       WHERE updated < ? - keep_days * ${DAY} ORDER BY updated`,
    );
    // The newest session is kept, even if it alone is larger than the limit.
    this.#oldest = database.prepare(
      `SELECT key FROM sessions WHERE json_extract(info, '$.status') NOT IN ('running', 'waiting')
       AND key <> (SELECT key FROM sessions ORDER BY updated DESC, key DESC LIMIT 1) ORDER BY updated, key`,
    );
    this.#pages = database.prepare("PRAGMA page_count");
    this.#unused = database.prepare("PRAGMA freelist_count");
    this.#pageSize = numberIn(database.prepare("PRAGMA page_size").get());
  }

  /** Sessions that have not changed for too long, the oldest first. */
  expired(now: number): readonly number[] {
    return this.#expired.all(now).map(numberIn);
  }

  /** Sessions that do not run and may be removed because of the size, the oldest first. */
  oldest(): readonly number[] {
    return this.#oldest.all().map(numberIn);
  }

  isTooLarge(): boolean {
    return (numberIn(this.#pages.get()) - this.#unusedPages()) * this.#pageSize > this.#maxBytes;
  }

  hasUnusedSpace(): boolean {
    return this.#unusedPages() > SPARE_PAGES;
  }

  /** Runs in a transaction. */
  returnSpace(): void {
    this.#database.exec(`PRAGMA incremental_vacuum(${Math.min(STEP_PAGES, this.#unusedPages() - SPARE_PAGES)})`);
  }

  #unusedPages(): number {
    return numberIn(this.#unused.get());
  }
}

/** The value of a row with one column. */
function numberIn(row: SqlRow | undefined): number {
  return Number(Object.values(row ?? {})[0]);
}
