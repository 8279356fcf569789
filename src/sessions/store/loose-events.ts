import type { SqlDatabase, SqlStatement } from "./sqlite-driver.ts";
import { STEP_MS, StepSize } from "./step-size.ts";

/**
 * The events of no session: of one that was removed, or of a copy that is not complete. They are deleted in short transactions,
 * because one that deletes a million events would hold the process. Methods that write must run in a transaction.
 */
export class LooseEvents {
  readonly #step = new StepSize();
  readonly #add: SqlStatement;
  readonly #forget: SqlStatement;
  readonly #next: SqlStatement;
  readonly #deleteEvents: SqlStatement;
  readonly #hasEvents: SqlStatement;

  constructor(database: SqlDatabase) {
    this.#add = database.prepare("INSERT OR REPLACE INTO loose (session, process) VALUES (?, ?)");
    this.#forget = database.prepare("DELETE FROM loose WHERE session = ? AND process IS ? RETURNING session");
    // A process that is gone does not complete its copies.
    this.#next = database.prepare(
      `SELECT session, process FROM loose
       WHERE process IS NULL OR process NOT IN (SELECT key FROM processes) LIMIT 1`,
    );
    this.#deleteEvents = database.prepare(
      `DELETE FROM events WHERE session = ? AND position IN
       (SELECT position FROM events WHERE session = ? ORDER BY position LIMIT ?)`,
    );
    this.#hasEvents = database.prepare("SELECT 1 FROM events WHERE session = ? LIMIT 1");
  }

  /** The events of this session may be deleted: those of a removed session at once, those of a copy when its process is gone. */
  add(session: number, process: number | null): void {
    this.#add.run(session, process);
  }

  /** The copy is complete: its events have a session now. False if they were deleted, because the process seemed to be gone. */
  keep(session: number, process: number): boolean {
    return this.#forget.get(session, process) !== undefined;
  }

  /** Whether there are events to delete. */
  get hasAny(): boolean {
    return this.#next.get() !== undefined;
  }

  /** Deletes as many events as take a few milliseconds: many sessions may have few. */
  deleteSome(): void {
    const until = performance.now() + STEP_MS;
    do this.#deleteStep();
    while (performance.now() < until && this.hasAny);
  }

  #deleteStep(): void {
    const next = this.#next.get();
    if (!next) return;
    const session = Number(next.session);
    this.#step.run((rows) => this.#deleteEvents.run(session, session, rows));
    if (!this.#hasEvents.get(session)) this.#forget.get(session, next.process ?? null);
  }
}
