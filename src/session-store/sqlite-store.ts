import { randomUUID } from "node:crypto";
import type { DurableEvent, FollowedEvent, LiveEvent, SessionInfo, StoredEvent } from "../core/session-log.ts";
import type { Claim, ListSessions, NewEvent, NewSession, SessionPage, SessionStore } from "../core/session-store.ts";
import { tryOrUndefined } from "../core/try-or-undefined.ts";
import { retryWhileBusy } from "./busy-retry.ts";
import { type Change, CommitQueue } from "./commit-queue.ts";
import { encodeEvent, encodeEvents } from "./encode-event.ts";
import { followFeed } from "./feed-reader.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { LiveTable } from "./live-table.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import {
  checkExpected,
  checkLimit,
  checkPosition,
  checkSessionID,
  checkWithinLog,
  sessionExists,
  sessionNotFound,
  sessionOwned,
  storeClosed,
} from "./session-checks.ts";
import { SessionList } from "./session-list.ts";
import { RENEW_MS, SessionOwners } from "./session-owners.ts";
import { type Appended, type SessionRow, SessionTables } from "./session-tables.ts";
import { storeFailure } from "./store-failure.ts";

/** How often live events are written for readers in other processes. */
const LIVE_MS = 100;

export interface SqliteStoreOptions {
  /** The database. It is created if it is missing. */
  readonly file: string;
  /** The root of the project whose sessions these are. */
  readonly project: string;
}

/** Opens a session store in a SQLite database. Rejects with a `SessionError`. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SessionStore> {
  const opened = await openDatabase(options.file);
  try {
    const store = new SqliteStore(opened, options);
    await store.begin();
    return store;
  } catch (error) {
    const failure = storeFailure(error, opened.file);
    tryOrUndefined(() => opened.database.close());
    throw failure;
  }
}

class SqliteStore implements SessionStore {
  readonly #file: string;
  readonly #root: string;
  readonly #database: OpenDatabase["database"];
  readonly #queue: CommitQueue;
  readonly #tables: SessionTables;
  readonly #list: SessionList;
  readonly #owners: SessionOwners;
  readonly #live: LiveTable;
  readonly #followed: FollowedSessions;
  #project = 0;
  #renewal: NodeJS.Timeout | undefined;
  #renewedAt: number = Date.now();
  #liveTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor({ file, database }: OpenDatabase, options: SqliteStoreOptions) {
    this.#file = file;
    this.#root = options.project;
    this.#database = database;
    this.#queue = new CommitQueue(file, database);
    this.#tables = new SessionTables(database);
    this.#list = new SessionList(database);
    this.#owners = new SessionOwners(database);
    this.#live = new LiveTable(database);
    this.#followed = new FollowedSessions({
      file,
      database,
      tables: this.#tables,
      live: this.#live,
      read: (key, after, limit) => this.#read(() => this.#tables.events(key, after, limit)),
    });
  }

  /** Called once, before all other methods. */
  async begin(): Promise<void> {
    await this.#queue.run({
      volatile: true,
      apply: () => {
        this.#project = this.#tables.addProject(this.#root, 90);
        this.#owners.enter(Date.now());
      },
    });
    await this.#recover();
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS).unref();
  }

  async create({ id = newID(), ...header }: NewSession): Promise<SessionInfo> {
    checkSessionID(id);
    const start = encodeEvent({ type: "session.start", ...header }, Date.now());
    return this.#change(() => {
      if (this.#tables.find(this.#project, id)) throw sessionExists(id);
      return this.#tables.add({ id, project: this.#project, root: this.#root }, start);
    });
  }

  async get(sessionID: string): Promise<SessionInfo | undefined> {
    checkSessionID(sessionID);
    return this.#read(() => this.#tables.find(this.#project, sessionID)?.info);
  }

  async append(
    sessionID: string,
    events: readonly NewEvent[],
    { expected }: { readonly expected?: number } = {},
  ): Promise<number> {
    checkSessionID(sessionID);
    if (expected !== undefined) checkPosition("expected", expected);
    const encoded = encodeEvents(events, Date.now());
    const { position } = await this.#change(() => {
      const row = this.#require(sessionID);
      checkExpected(sessionID, expected, row.info.position);
      return this.#tables.append(row, encoded);
    });
    return position;
  }

  async read(
    sessionID: string,
    after: number,
    limit: number,
    types?: readonly DurableEvent["type"][],
  ): Promise<readonly StoredEvent[]> {
    checkSessionID(sessionID);
    checkPosition("after", after);
    checkLimit(limit);
    return this.#read(() => this.#tables.events(this.#require(sessionID).key, after, limit, types));
  }

  follow(sessionID: string, after: number, signal: AbortSignal): AsyncIterable<FollowedEvent> {
    const open = async () => {
      checkSessionID(sessionID);
      checkPosition("after", after);
      const row = await this.#read(() => this.#require(sessionID));
      checkWithinLog(sessionID, after, row.info.position);
      return this.#followed.feed(row);
    };
    return followFeed(open, after, signal);
  }

  publish(sessionID: string, event: LiveEvent): void {
    if (this.#closing) return;
    tryOrUndefined(() => {
      const key = this.#followed.publish(sessionID, event, () => this.#tables.find(this.#project, sessionID));
      if (key === undefined) return;
      this.#live.add(key, event);
      this.#liveTimer ??= setTimeout(() => this.#writeLive(), LIVE_MS).unref();
    });
  }

  async list(options: ListSessions = {}): Promise<SessionPage> {
    return this.#read(() => this.#list.page(this.#project, options));
  }

  async branch(sessionID: string, at: number, { id = newID() }: { readonly id?: string } = {}): Promise<SessionInfo> {
    checkSessionID(sessionID);
    checkSessionID(id);
    checkPosition("at", at);
    return this.#change(() => {
      const source = this.#require(sessionID);
      checkWithinLog(sessionID, at, source.info.position);
      if (this.#tables.find(this.#project, id)) throw sessionExists(id);
      const now = Date.now();
      const row = this.#tables.branch(source, { id, project: this.#project, position: at, now });
      return this.#tables.interrupt(row, "It did not run in the branch.", now);
    });
  }

  async remove(sessionID: string): Promise<void> {
    checkSessionID(sessionID);
    await this.#run({
      apply: () => {
        const row = this.#require(sessionID);
        if (this.#owners.isOwnedByAnother(row.key, Date.now())) throw sessionOwned(sessionID);
        this.#owners.forget(row.key);
        this.#live.removeAll(row.key);
        this.#tables.remove(row.key);
        return row;
      },
      committed: (row) => this.#followed.removed(row),
    });
  }

  async claim(sessionID: string, why: "turn" | "call"): Promise<Claim> {
    checkSessionID(sessionID);
    await this.#recover();
    const key = await this.#run({
      apply: () => this.#owners.claim(this.#require(sessionID).key, sessionID, why, Date.now()),
    });
    let released: Promise<void> | undefined;
    return {
      release: () => {
        released ??= this.#closing ?? this.#queue.run({ volatile: true, apply: () => this.#owners.release(key) });
        return released;
      },
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    clearInterval(this.#renewal);
    clearTimeout(this.#liveTimer);
    await this.#queue.run({ volatile: true, apply: () => this.#owners.leave() }).catch(() => {});
    this.#followed.close();
    tryOrUndefined(() => this.#database.close());
  }

  /** Commits a change of one session, and passes its events to readers. */
  async #change(apply: () => Appended): Promise<SessionInfo> {
    const { info } = await this.#run({
      apply: () => this.#finishLive(apply()),
      committed: (appended) => this.#followed.stored(appended, appended.events),
    });
    return info;
  }

  #finishLive(appended: Appended): Appended {
    this.#live.finish(appended.key, appended.events, appended.info);
    return appended;
  }

  async #run<T>(change: Change<T>): Promise<T> {
    if (this.#closing) throw storeClosed();
    return this.#queue.run(change);
  }

  /** WAL readers wait for writers only in rare cases, as when the last other process closes the database. */
  async #read<T>(work: () => T): Promise<T> {
    if (this.#closing) throw storeClosed();
    try {
      return await retryWhileBusy(this.#file, work);
    } catch (error) {
      throw storeFailure(error, this.#file);
    }
  }

  #require(sessionID: string): SessionRow {
    const row = this.#tables.find(this.#project, sessionID);
    if (!row) throw sessionNotFound(sessionID);
    return row;
  }

  #writeLive(): void {
    this.#liveTimer = undefined;
    if (!this.#closing) this.#queue.run({ volatile: true, apply: () => this.#live.write() }).catch(() => {});
  }

  /** Renews the claims of this process, and ends sessions whose owners are gone. */
  #renew(): void {
    const now = Date.now();
    // After a longer pause of this process, others get the time to renew theirs.
    const paused = now - this.#renewedAt > 3 * RENEW_MS;
    this.#renewedAt = now;
    this.#queue
      .run({
        volatile: true,
        apply: () => this.#owners.renew(now),
      })
      .then(() => (paused ? undefined : this.#recover()))
      .catch(() => {});
  }

  /** Ends the sessions whose owners are gone. */
  async #recover(): Promise<void> {
    if (!(await this.#read(() => this.#owners.hasGone(Date.now())))) return;
    await this.#run({
      apply: () => this.#interruptAbandoned(),
      committed: (interrupted) => {
        for (const appended of interrupted) this.#followed.stored(appended, appended.events);
      },
    });
  }

  #interruptAbandoned(): readonly Appended[] {
    const now = Date.now();
    return this.#owners.removeGone(now).flatMap((key) => {
      const row = this.#tables.byKey(key);
      return row ? [this.#finishLive(this.#tables.interrupt(row, OWNER_GONE, now))] : [];
    });
  }
}

const OWNER_GONE = "The process that ran this session ended.";

function newID(): string {
  return `ses_${randomUUID()}`;
}
