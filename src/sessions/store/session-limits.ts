import { type AgeReference, ageReference, expiryTime } from "../../platform/values/age-reference.ts";
import { AGE_REFERENCE } from "./session-tables.ts";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** How long sessions are kept, and the size of the database. */
export interface StoreLimits {
  /** For the sessions of the store's own project. */
  readonly keepDays: number;
  /** For the sessions of all projects. */
  readonly maxMb: number;
}

const MB = 1024 * 1024;
/** Unused pages that stay in the file, for new events. */
const SPARE_PAGES = 256;
/** The maximum number of pages that one transaction gives back. */
const STEP_PAGES = 500;
const MAX_JOURNAL_BYTES = 16 * MB;
const MAX_JOURNAL_PAGES = 1000;
/** The part of the limit by which the file may grow before its size is looked at. */
const UNCHECKED = 1 / 20;
/** The names of the times that make the reference of the ages. */
const REFERENCE = [AGE_REFERENCE, "age candidate", "age candidate chosen"] as const;
/** The condition of the index `sessions_open`, negated: the session is at rest. No process owns it either. */
const IS_IDLE = `NOT (instr(info, '"status":"running"') > 0 OR instr(info, '"status":"waiting"') > 0)
  AND NOT EXISTS (SELECT 1 FROM claims WHERE session = sessions.key)`;

/** Finds the sessions to remove, and returns unused space to the file system. */
export class SessionLimits {
  readonly #database: SqlDatabase;
  readonly #maxBytes: number;
  readonly #expired: SqlStatement;
  readonly #oldest: SqlStatement;
  readonly #newest: SqlStatement;
  readonly #time: SqlStatement;
  readonly #setTime: SqlStatement;
  readonly #pages: SqlStatement;
  readonly #unused: SqlStatement;
  readonly #pageSize: number;

  constructor(database: SqlDatabase, maxMb: number) {
    this.#database = database;
    this.#maxBytes = maxMb * MB;
    // Both read the index by project and time, so that they cost the same with any number of sessions.
    this.#expired = database.prepare(
      `SELECT sessions.key FROM projects JOIN sessions ON sessions.key IN (
         SELECT key FROM sessions WHERE project = projects.key AND updated < ? - keep_days * ?
         AND NOT EXISTS (SELECT 1 FROM claims WHERE session = sessions.key) ORDER BY updated LIMIT ?)
       ORDER BY updated LIMIT ?`,
    );
    this.#oldest = database.prepare(
      `SELECT sessions.key FROM projects JOIN sessions ON sessions.key IN (
         SELECT key FROM sessions WHERE project = projects.key AND ${IS_IDLE} ORDER BY updated, key LIMIT ?)
       ORDER BY updated, sessions.key LIMIT ?`,
    );
    this.#newest = database.prepare(
      `SELECT updated, sessions.key FROM projects JOIN sessions ON sessions.key =
         (SELECT key FROM sessions WHERE project = projects.key ORDER BY updated DESC, key DESC LIMIT 1)
       ORDER BY updated DESC, sessions.key DESC LIMIT 1`,
    );
    this.#time = database.prepare("SELECT at FROM times WHERE name = ?");
    this.#setTime = database.prepare("INSERT OR REPLACE INTO times (name, at) VALUES (?, ?)");
    this.#pages = database.prepare("PRAGMA page_count");
    this.#unused = database.prepare("PRAGMA freelist_count");
    this.#pageSize = numberIn(database.prepare("PRAGMA page_size").get());
    this.#limitJournal();
  }

  /** The journal beside the database is part of its size. */
  #limitJournal(): void {
    const bytes = Math.min(MAX_JOURNAL_BYTES, UNCHECKED * this.#maxBytes);
    this.#database.exec(`PRAGMA journal_size_limit = ${Math.ceil(bytes)}`);
    this.#database.exec(
      `PRAGMA wal_autocheckpoint = ${Math.min(MAX_JOURNAL_PAGES, Math.ceil(bytes / this.#pageSize))}`,
    );
  }

  /** Sessions that have not changed for too long and have no owner, the oldest first. */
  expired(now: number, limit: number): readonly number[] {
    const reference = this.#reference();
    const newest = this.#newest.get();
    if (!reference || !newest) return [];
    const time = expiryTime(reference, now, Number(newest.updated), 0);
    return this.#expired.all(time, DAY, limit, limit).map(numberIn);
  }

  /** Looks at the newest session, by which the ages of all are measured: see `ageReference`. Runs in a transaction. */
  observeAges(now: number): void {
    const before = this.#reference();
    const { time, candidate, chosenAt } = ageReference(before, now, Number(this.#newest.get()?.updated ?? now));
    if (before?.chosenAt === chosenAt) return;
    for (const [index, at] of [time, candidate, chosenAt].entries()) this.#setTime.run(REFERENCE[index] as string, at);
  }

  #reference(): AgeReference | undefined {
    const [time, candidate, chosenAt] = REFERENCE.map((name) => this.#time.get(name)?.at).map(Number);
    return Number.isFinite(chosenAt) ? ({ time, candidate, chosenAt } as AgeReference) : undefined;
  }

  /** Sessions at rest that no process owns, the oldest first. The newest session is kept, even if it alone is larger than the limit. */
  oldest(limit: number): readonly number[] {
    const newest = this.#newest.get()?.key;
    const keys = this.#oldest.all(limit + 1, limit + 1).map(numberIn);
    return keys.filter((key) => key !== newest).slice(0, limit);
  }

  isTooLarge(): boolean {
    return !this.hasRoom(0);
  }

  /** Whether so many bytes were stored since the size was looked at that it must be looked at again. */
  isUnchecked(bytes: number): boolean {
    return bytes > UNCHECKED * this.#maxBytes;
  }

  /** Whether events of so many bytes fit into a part of the limit. */
  hasRoom(bytes: number, part: number = 1): boolean {
    const used = (numberIn(this.#pages.get()) - this.#unusedPages()) * this.#pageSize;
    return used + bytes <= part * this.#maxBytes;
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

const DAY = 24 * 60 * 60 * 1000;

/** The value of a row with one column. */
function numberIn(row: SqlRow | undefined): number {
  return Number(Object.values(row ?? {})[0]);
}
