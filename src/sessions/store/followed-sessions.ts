import type { LiveEvent, StoredEvent } from "../../core/session-log.ts";
import type { SessionError } from "../../core/session-store.ts";
import type { LiveTable } from "./live-table.ts";
import { isInMemory } from "./open-database.ts";
import { sessionRemoved } from "./session-checks.ts";
import { SessionFeed } from "./session-feed.ts";
import type { SessionRow } from "./session-tables.ts";
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

interface FollowedParts {
  readonly file: string;
  readonly database: SqlDatabase;
  readonly live: LiveTable;
  /** The result of reading from the database. Rejects with a `SessionError`. */
  read<T>(work: () => T): Promise<T>;
  events(row: SessionRow, after: number, limit: number): Promise<readonly StoredEvent[]>;
}

/** The sessions that have readers in this process, or that stream. Notices what other processes write. */
export class FollowedSessions {
  readonly #parts: FollowedParts;
  readonly #dataVersion: SqlStatement;
  /** By key: sessions of other projects may have the same id, and an id may be used again. */
  readonly #byKey = new Map<number, Followed>();
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
      const followed = this.#byKey.get(row.key) ?? this.#add(row);
      await this.#catchUp(followed);
      // A feed without readers may have been dropped meanwhile: it would get no more events.
      if (this.#byKey.get(row.key) === followed || followed.feed.ended) return enter(followed.feed);
    }
  }

  /** Passes on events that were committed by this process. */
  stored(row: SessionRow, events: readonly StoredEvent[]): void {
    const followed = this.#byKey.get(row.key);
    followed?.feed.stored(events);
    if (followed) this.#dropUnused(followed);
  }

  /** Passes on a live event of this process. Returns false if the event is ignored. */
  publish(row: SessionRow, event: LiveEvent): boolean {
    return (this.#byKey.get(row.key) ?? this.#add(row)).feed.publish(event);
  }

  /** Ends the readers of a session that is removed. */
  removed(row: SessionRow): void {
    const followed = this.#byKey.get(row.key);
    if (followed) this.#end(followed, sessionRemoved(row.info.id));
  }

  hasReaders(key: number): boolean {
    return this.#byKey.get(key)?.feed.hasReaders ?? false;
  }

  close(): void {
    this.#endAll();
    clearInterval(this.#timer);
  }

  #add(row: SessionRow): Followed {
    const { key, info } = row;
    const feed: SessionFeed = new SessionFeed({
      sessionID: info.id,
      position: info.position,
      read: (after, limit) => this.#parts.events(row, after, limit),
      onReadersChange: (hasReaders) => this.#countReaders(followed, hasReaders),
    });
    const followed: Followed = { key, feed, seq: 0 };
    this.#byKey.set(key, followed);
    return followed;
  }

  #end(followed: Followed, error?: SessionError): void {
    this.#drop(followed);
    followed.feed.end(error);
  }

  #drop(followed: Followed): void {
    if (this.#byKey.get(followed.key) === followed) this.#byKey.delete(followed.key);
  }

  #dropUnused(followed: Followed): void {
    if (followed.feed.isUnused) this.#drop(followed);
  }

  #countReaders(followed: Followed, hasReaders: boolean): void {
    this.#withReaders += hasReaders ? 1 : -1;
    this.#dropUnused(followed);
    if (this.#withReaders === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (!isInMemory(this.#parts.file)) this.#timer ??= this.#startPolling();
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
    for (const followed of [...this.#byKey.values()])
      this.#catchUp(followed).then(
        () => this.#dropUnused(followed),
        (error: SessionError) => this.#end(followed, error),
      );
  }

  #endAll(error?: SessionError): void {
    for (const followed of [...this.#byKey.values()]) this.#end(followed, error);
  }

  /** Passes on what other processes have written. Durable events come first: live ones belong to what is unfinished after them. */
  async #catchUp(followed: Followed): Promise<void> {
    const { feed, key } = followed;
    const found = await this.#parts.read(() => this.#parts.live.news(key, followed.seq));
    if (!found) return this.#end(followed, sessionRemoved(feed.sessionID));
    await feed.reach(found.position);
    // The feed may be further already, where these messages and calls may have ended: the next poll looks again.
    if (feed.position > found.position) {
      this.#version = -1;
      return;
    }
    for (const { seq, event } of found.rows) {
      // Another call of this method may have passed it on.
      if (seq > followed.seq) feed.publish(event);
      followed.seq = Math.max(followed.seq, seq);
    }
  }
}
