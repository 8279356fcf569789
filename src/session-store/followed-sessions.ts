import type { LiveEvent, StoredEvent } from "../core/session-log.ts";
import type { SessionError } from "../core/session-store.ts";
import type { LiveRow, LiveTable } from "./live-table.ts";
import { sessionRemoved } from "./session-checks.ts";
import { SessionFeed } from "./session-feed.ts";
import type { SessionRow, SessionTables } from "./session-tables.ts";
import type { SqlDatabase, SqlStatement } from "./sqlite-driver.ts";
import { isBusy } from "./store-errors.ts";
import { storeFailure } from "./store-failure.ts";

/** How often commits of other processes are looked for, while there are readers. */
const POLL_MS = 50;

interface Followed {
  readonly key: number;
  readonly feed: SessionFeed;
  /** The last row of the live table that was passed on. */
  seq: number;
}

export interface FollowedParts {
  readonly file: string;
  readonly database: SqlDatabase;
  readonly tables: SessionTables;
  readonly live: LiveTable;
  /** The result of reading from the database. Rejects with a `SessionError`. */
  read<T>(work: () => T): Promise<T>;
}

/** The sessions that have readers in this process, or that stream. Notices what other processes write. */
export class FollowedSessions {
  readonly #parts: FollowedParts;
  readonly #dataVersion: SqlStatement;
  readonly #byID = new Map<string, Followed>();
  #withReaders = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Changes when another connection has committed. */
  #version = -1;

  constructor(parts: FollowedParts) {
    this.#parts = parts;
    this.#dataVersion = parts.database.prepare("PRAGMA data_version");
  }

  /** Lets a reader enter the feed of a session, which has caught up with the database. */
  async enter(row: SessionRow, enter: (feed: SessionFeed) => void): Promise<void> {
    for (;;) {
      const followed = this.#byKey(row) ?? this.#add(row);
      await this.#catchUp(followed);
      // A feed without readers may have been dropped meanwhile: it would get no more events.
      if (this.#byID.get(row.info.id) === followed || followed.feed.ended) return enter(followed.feed);
    }
  }

  /** Passes on events that were committed by this process. */
  stored(row: SessionRow, events: readonly StoredEvent[]): void {
    const followed = this.#byKey(row);
    followed?.feed.stored(events);
    if (followed?.feed.isUnused) this.#byID.delete(row.info.id);
  }

  /** Passes on a live event of this process. Returns false if the event is ignored. */
  publish(row: SessionRow, event: LiveEvent): boolean {
    return (this.#byKey(row) ?? this.#add(row)).feed.publish(event);
  }

  /** Ends the readers of a session that is removed. */
  removed(row: SessionRow): void {
    const followed = this.#byKey(row);
    if (followed) this.#end(followed, sessionRemoved(row.info.id));
  }

  close(): void {
    this.#endAll();
    clearInterval(this.#timer);
  }

  /** An id may have been used again after its session was removed. */
  #byKey({ key, info }: SessionRow): Followed | undefined {
    const followed = this.#byID.get(info.id);
    if (followed?.key === key) return followed;
    if (followed) this.#end(followed, sessionRemoved(info.id));
    return undefined;
  }

  #add({ key, info }: SessionRow): Followed {
    const { read, tables } = this.#parts;
    const feed: SessionFeed = new SessionFeed({
      sessionID: info.id,
      position: info.position,
      read: (after, limit) => read(() => tables.events(key, after, limit)),
      onReadersChange: (hasReaders) => this.#countReaders(followed, hasReaders),
    });
    const followed: Followed = { key, feed, seq: 0 };
    this.#byID.set(info.id, followed);
    return followed;
  }

  #end(followed: Followed, error?: SessionError): void {
    const { feed } = followed;
    if (this.#byID.get(feed.sessionID) === followed) this.#byID.delete(feed.sessionID);
    feed.end(error);
  }

  #countReaders(followed: Followed, hasReaders: boolean): void {
    this.#withReaders += hasReaders ? 1 : -1;
    const { feed } = followed;
    if (feed.isUnused && this.#byID.get(feed.sessionID) === followed) this.#byID.delete(feed.sessionID);
    if (this.#withReaders === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= this.#startPolling();
  }

  #startPolling(): NodeJS.Timeout {
    this.#version = -1;
    return setInterval(() => this.#poll(), POLL_MS);
  }

  #poll(): void {
    try {
      const version = Number(this.#dataVersion.get()?.data_version);
      if (version === this.#version) return;
      this.#version = version;
    } catch (error) {
      return isBusy(error) ? undefined : this.#endAll(storeFailure(error, this.#parts.file));
    }
    for (const followed of [...this.#byID.values()])
      void this.#catchUp(followed).catch((error: SessionError) => this.#end(followed, error));
  }

  #endAll(error?: SessionError): void {
    for (const followed of [...this.#byID.values()]) this.#end(followed, error);
  }

  /** Passes on what other processes have written. Durable events come first: live ones belong to what is unfinished after them. */
  async #catchUp(followed: Followed): Promise<void> {
    const { feed } = followed;
    const found = await this.#parts.read(() => this.#news(followed));
    if (!found) return this.#end(followed, sessionRemoved(feed.sessionID));
    await feed.reach(found.position);
    for (const { event } of found.rows) feed.publish(event);
  }

  /** Undefined if the session was removed. */
  #news(followed: Followed): { readonly position: number; readonly rows: readonly LiveRow[] } | undefined {
    const { tables, live } = this.#parts;
    const position = tables.position(followed.key);
    if (position === undefined) return undefined;
    const rows = live.after(followed.key, followed.seq);
    followed.seq = rows.at(-1)?.seq ?? followed.seq;
    return { position, rows };
  }
}
