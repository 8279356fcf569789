import { SessionError } from "../../core/session-store.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { pauseWhileBusy } from "./busy-retry.ts";
import { isInMemory } from "./open-database.ts";
import type { SqlDatabase, SqlStatement } from "./sqlite-driver.ts";
import { BUSY_MS, busyError, isBusy } from "./store-errors.ts";
import { storeFailure } from "./store-failure.ts";

interface Change<T> {
  /**
   * Runs in a transaction, and again in the next one if that fails. A `SessionError` refuses this change, but not the others of
   * the transaction: it must be thrown before the first write.
   */
  apply(): T;
  /** Runs after the commit, before the promise of the change resolves. Must not throw. */
  committed?(result: T): void;
  /** Whether a power failure may lose the change. The end of the process cannot. */
  readonly volatile?: boolean;
}

interface Job {
  readonly change: Change<unknown>;
  readonly since: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: SessionError) => void;
}

/** Commits changes in the order of the calls. Those that arrive in one turn of the event loop share a transaction; in memory, those that arrive before the next microtask. */
export class CommitQueue {
  readonly #file: string;
  readonly #database: SqlDatabase;
  readonly #check: () => void;
  readonly #begin: SqlStatement;
  readonly #commit: SqlStatement;
  #waiting: Job[] = [];
  #state: "idle" | "scheduled" | "retrying" = "idle";
  #volatile = false;

  /** `check` runs before each transaction. What it throws refuses all changes of the transaction. */
  constructor(file: string, database: SqlDatabase, check: () => void) {
    this.#file = file;
    this.#database = database;
    this.#check = check;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
  }

  /** Resolves when the change is committed. */
  run<T>(change: Change<T>): Promise<T> {
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ change: change as Change<unknown>, since: performance.now(), resolve, reject });
      this.#schedule();
    }) as Promise<T>;
  }

  #schedule(): void {
    if (this.#state !== "idle" || this.#waiting.length === 0) return;
    this.#state = "scheduled";
    if (isInMemory(this.#file)) queueMicrotask(this.#flush);
    else setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    const jobs = this.#waiting;
    this.#waiting = [];
    this.#state = "idle";
    try {
      this.#transact(jobs);
    } catch (error) {
      this.#state = "retrying";
      void this.#retry(jobs, error).finally(() => {
        this.#state = "idle";
        this.#schedule();
      });
    }
  };

  async #retry(jobs: readonly Job[], cause: unknown): Promise<void> {
    let error = cause;
    let pending = jobs;
    while (isBusy(error)) {
      const now = performance.now();
      for (const job of pending) if (now - job.since > BUSY_MS) job.reject(busyError(this.#file));
      pending = pending.filter((job) => now - job.since <= BUSY_MS);
      const [oldest] = pending;
      if (oldest === undefined) return;
      await pauseWhileBusy(now - oldest.since);
      try {
        return this.#transact(pending);
      } catch (next) {
        error = next;
      }
    }
    if (pending.length === 1) return pending[0]?.reject(storeFailure(error, this.#file));
    // One of the changes may be the reason: each gets its own transaction.
    for (const job of pending) await this.#alone(job);
  }

  async #alone(job: Job): Promise<void> {
    try {
      this.#transact([job]);
    } catch (error) {
      await this.#retry([job], error);
    }
  }

  /** Settles all jobs, or throws and settles none. */
  #transact(jobs: readonly Job[]): void {
    this.#setVolatile(jobs.every((job) => job.change.volatile === true));
    this.#check();
    this.#begin.run();
    let outcomes: Outcome[];
    try {
      outcomes = jobs.map(outcomeOf);
      this.#commit.run();
    } catch (error) {
      // SQLite may have rolled back already.
      tryOrUndefined(() => this.#database.exec("ROLLBACK"));
      throw error;
    }
    for (const [index, { change, resolve, reject }] of jobs.entries()) {
      const outcome = outcomes[index] as Outcome;
      if (SessionError.is(outcome)) reject(outcome);
      else {
        change.committed?.(outcome.result);
        resolve(outcome.result);
      }
    }
  }

  #setVolatile(volatile: boolean): void {
    if (this.#volatile === volatile || isInMemory(this.#file)) return;
    this.#database.exec(`PRAGMA synchronous = ${volatile ? "NORMAL" : "FULL"}`);
    this.#volatile = volatile;
  }
}

type Outcome = { readonly result: unknown } | SessionError;

function outcomeOf({ change }: Job): Outcome {
  try {
    return { result: change.apply() };
  } catch (error) {
    if (SessionError.is(error)) return error;
    throw error;
  }
}
