import { statSync } from "node:fs";
import type { DurableEvent, StoredEvent } from "../../core/session-log.ts";
import { CommonLoopShare } from "../../platform/waiting/loop-share.ts";
import { retryWhileBusy } from "./busy-retry.ts";
import { CommitQueue } from "./commit-queue.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { LiveTable } from "./live-table.ts";
import { LooseEvents } from "./loose-events.ts";
import { isInMemory, type OpenDatabase } from "./open-database.ts";
import { SessionOwners } from "./session-owners.ts";
import { type Appended, type SessionRow, SessionTables, SPAN } from "./session-tables.ts";
import { storeError } from "./store-errors.ts";
import { storeFailure } from "./store-failure.ts";

/** The events that a caller asks for. */
interface ReadEvents {
  readonly after: number;
  readonly limit: number;
  readonly types?: readonly DurableEvent["type"][] | undefined;
}

/** The parts of an open SQLite store, and what they do together. */
export class StoreParts {
  readonly opened: OpenDatabase;
  readonly queue: CommitQueue;
  readonly tables: SessionTables;
  readonly owners: SessionOwners;
  readonly live: LiveTable;
  readonly loose: LooseEvents;
  readonly followed: FollowedSessions;
  readonly #reads = new CommonLoopShare();

  constructor(opened: OpenDatabase) {
    const { file, database } = opened;
    this.opened = opened;
    this.queue = new CommitQueue(file, database, fileCheck(file));
    this.tables = new SessionTables(database);
    this.owners = new SessionOwners(database);
    this.live = new LiveTable(database, this.owners);
    this.loose = new LooseEvents(database);
    this.followed = new FollowedSessions({
      file,
      database,
      live: this.live,
      read: (work) => this.read(work),
      events: (row, after, limit) => this.events(() => row, { after, limit }),
    });
  }

  /** Writers do not block readers, except for moments, as when another process closes the database. */
  async read<T>(work: () => T): Promise<T> {
    const { file } = this.opened;
    try {
      return await retryWhileBusy(file, work);
    } catch (error) {
      throw storeFailure(error, file);
    }
  }

  /** As `read`, for work that may be repeated often: such reads of all callers together hold the event loop for milliseconds only. */
  async readStep<T>(work: () => T): Promise<T> {
    await this.#reads.pause();
    return this.read(work);
  }

  /** Events of a session after a position, as `SessionStore.read`. */
  async events(find: () => SessionRow, { after, limit, types }: ReadEvents): Promise<readonly StoredEvent[]> {
    if (!types) return this.readStep(() => this.tables.events(find().key, after, limit));
    const found: StoredEvent[] = [];
    const { key, info } = await this.read(find);
    for (let at = after; at < info.position && found.length === 0; at += SPAN) {
      const span = { after: at, to: at + SPAN };
      found.push(...(await this.readStep(() => this.tables.eventsOfTypes(key, span, limit, types))));
    }
    return found;
  }

  /** The events of a session at some positions, as `SessionStore.readAt`. */
  async eventsAt(find: () => SessionRow, positions: readonly number[]): Promise<readonly StoredEvent[]> {
    return this.readStep(() => this.tables.eventsAt(find().key, positions));
  }

  /** Commits new events of sessions, and passes them to readers. */
  async commit(
    apply: () => readonly Appended[],
    { volatile = false }: { readonly volatile?: boolean } = {},
  ): Promise<readonly Appended[]> {
    return this.queue.run({
      volatile,
      apply: () => {
        const all = apply();
        for (const { key, events } of all) this.live.finish(key, events);
        return all;
      },
      committed: (all) => {
        for (const appended of all) this.followed.stored(appended, appended.events);
      },
    });
  }

  /** Writes what is streamed, for readers in other processes. Never rejects: what cannot be written is lost. */
  async writeLive(): Promise<void> {
    const { queue, live } = this;
    const change = { volatile: true, apply: () => live.write(), committed: () => live.clear() };
    await queue.run(change).catch(() => live.clear());
  }

  /** Removes sessions that are chosen in the transaction, but not yet their events. Resolves to their number. */
  async remove(choose: () => Iterable<SessionRow>): Promise<number> {
    const removed = await this.queue.run({
      apply: () => {
        const rows: SessionRow[] = [];
        for (const row of choose()) {
          this.owners.forget(row.key);
          this.live.removeAll(row.key);
          this.tables.remove(row.key);
          this.loose.add(row.key, null);
          rows.push(row);
        }
        return rows;
      },
      committed: (rows) => {
        for (const row of rows) this.followed.removed(row);
      },
    });
    return removed.length;
  }
}

/** Throws if the path no longer leads to the file that was opened: its events would be lost. */
function fileCheck(file: string): () => void {
  if (isInMemory(file)) return () => {};
  const { ino, dev } = statSync(file);
  return () => {
    const now = statSync(file, { throwIfNoEntry: false });
    if (now?.ino === ino && now.dev === dev) return;
    throw storeError(
      "store_failed",
      `The session database ${file} was removed or replaced while it was open. Nothing was stored`,
      "Start this program again.",
    );
  };
}
