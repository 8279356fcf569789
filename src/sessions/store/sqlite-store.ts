import { randomUUID } from "node:crypto";
import type { DurableEvent, FollowedEvent, LiveEvent, SessionInfo, StoredEvent } from "../../core/session-log.ts";
import {
  type AppendOptions,
  type Claim,
  type ListSessions,
  type LogSnapshot,
  type NewEvent,
  type NewSession,
  SessionError,
  type SessionPage,
  type SessionStore,
} from "../../core/session-store.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { DEFAULTS } from "../../settings/defaults.ts";
import { branchSession } from "./branch-session.ts";
import { type EncodedEvent, encodeEvent, encodeEvents } from "./encode-event.ts";
import { followFeed } from "./feed-reader.ts";
import { isInMemory, openDatabase } from "./open-database.ts";
import {
  checkBranchPosition,
  checkExpected,
  checkLimit,
  checkPosition,
  checkSessionID,
  checkWithinLog,
  sessionExists,
  sessionNotFound,
  sessionOwned,
  storeClosed,
  superseded,
} from "./session-checks.ts";
import type { SessionFeed } from "./session-feed.ts";
import type { StoreLimits } from "./session-limits.ts";
import { SessionList } from "./session-list.ts";
import type { Appended, SessionRow } from "./session-tables.ts";
import { openingFailure } from "./store-failure.ts";
import { StoreParts } from "./store-parts.ts";
import { StoreUpkeep } from "./store-upkeep.ts";

/** How often live events are written for readers in other processes. */
const LIVE_MS = 100;

interface SqliteStoreOptions {
  /** The database. It is created if it is missing. */
  readonly file: string;
  /** The root of the project whose sessions these are. */
  readonly project: string;
  readonly limits?: StoreLimits;
}

/** Opens a session store in a SQLite database. Rejects with a `SessionError`. */
export async function openSqliteStore({
  file,
  project,
  limits = DEFAULTS.sessions,
}: SqliteStoreOptions): Promise<SessionStore> {
  const opened = await openDatabase(file);
  try {
    const parts = new StoreParts(opened);
    const upkeep = new StoreUpkeep(parts, limits);
    let key = 0;
    await upkeep.begin(() => {
      key = parts.tables.addProject(project, limits.keepDays);
    });
    return new SqliteStore(parts, upkeep, { key, root: project });
  } catch (error) {
    const failure = openingFailure(error, opened.file);
    tryOrUndefined(() => opened.database.close());
    throw failure;
  }
}

/** A session store in a SQLite database, on disk or in memory. Its upkeep has begun. */
export class SqliteStore implements SessionStore {
  readonly #parts: StoreParts;
  readonly #upkeep: StoreUpkeep;
  readonly #project: { readonly key: number; readonly root: string };
  readonly #list: SessionList;
  #liveTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts, upkeep: StoreUpkeep, project: { readonly key: number; readonly root: string }) {
    this.#parts = parts;
    this.#upkeep = upkeep;
    this.#project = project;
    this.#list = new SessionList(parts.opened.database, (work) => parts.readStep(work));
  }

  async create({ id = randomUUID(), ...header }: NewSession): Promise<SessionInfo> {
    this.#check(id);
    const start = encodeEvent({ ...header, type: "session.start" }, Date.now());
    return this.#commit(id, start.bytes, () => {
      this.#requireNew(id);
      return this.#parts.tables.add({ id, project: this.#project }, start);
    });
  }

  async get(sessionID: string): Promise<SessionInfo | undefined> {
    this.#check(sessionID);
    return this.#parts.read(() => this.#find(sessionID)?.info);
  }

  async append(
    sessionID: string,
    events: readonly NewEvent[],
    { expected, epoch }: AppendOptions = {},
  ): Promise<number> {
    this.#check(sessionID);
    if (expected !== undefined) checkPosition("expected", expected);
    const encoded = encodeEvents(events, Date.now());
    const { position } = await this.#commit(sessionID, sizeOf(encoded), () => {
      const row = this.#require(sessionID);
      if (epoch !== undefined && !this.#parts.owners.holds(epoch, row.key)) throw superseded(sessionID);
      checkExpected(sessionID, expected, row.info.position);
      return this.#parts.tables.append(row, encoded);
    });
    return position;
  }

  async read(
    sessionID: string,
    after: number,
    limit: number,
    types?: readonly DurableEvent["type"][],
  ): Promise<readonly StoredEvent[]> {
    this.#check(sessionID);
    checkPosition("after", after);
    checkLimit(limit);
    return this.#parts.events(() => this.#require(sessionID), { after, limit, types });
  }

  follow(sessionID: string, after: number, signal: AbortSignal): AsyncIterable<FollowedEvent> {
    const open = async (enter: (feed: SessionFeed) => void): Promise<void> => {
      this.#check(sessionID);
      checkPosition("after", after);
      const row = await this.#parts.read(() => this.#require(sessionID));
      checkWithinLog(sessionID, after, row.info.position);
      await this.#parts.followed.enter(row, enter);
    };
    return followFeed(open, after, signal);
  }

  publish(sessionID: string, event: LiveEvent): void {
    if (this.#closing) return;
    const { followed, live } = this.#parts;
    tryOrUndefined(() => {
      // Not found by a feed: another process may have removed the session and created another one with this id.
      const row = this.#find(sessionID);
      if (!row || !followed.publish(row, event) || isInMemory(this.#parts.opened.file)) return;
      live.add(row.key, event);
      this.#liveTimer ??= setTimeout(() => this.#writeLive(), LIVE_MS).unref();
    });
  }

  async list(options?: ListSessions): Promise<SessionPage> {
    this.#checkOpen();
    return this.#list.page(this.#project.key, options);
  }

  async branch(
    sessionID: string,
    at: number,
    { id = randomUUID() }: { readonly id?: string } = {},
  ): Promise<SessionInfo> {
    this.#check(sessionID);
    this.#check(id);
    const source = await this.#parts.read(() => this.#require(sessionID));
    checkBranchPosition(sessionID, at, source.info.position);
    const bytes = await this.#parts.read(() => this.#parts.tables.copySize(source.key, at));
    const commit: StoreParts["commit"] = async (...change) => {
      this.#checkOpen();
      return this.#parts.commit(...change);
    };
    const branch = { id, project: this.#project, position: at };
    try {
      return await this.#withRoom(sessionID, bytes, () =>
        branchSession({ parts: this.#parts, commit }, source, branch),
      );
    } catch (error) {
      void this.#upkeep.deleteLoose();
      throw error;
    }
  }

  async remove(sessionID: string): Promise<void> {
    this.#check(sessionID);
    const remove = (): Promise<number> =>
      this.#parts.remove(() => {
        const row = this.#require(sessionID);
        if (this.#parts.owners.isOwned(row.key, Date.now(), "another")) throw sessionOwned(sessionID);
        return [row];
      });
    await this.#upkeep.unlessOwned(() => this.#require(sessionID), remove);
    await this.#upkeep.deleteLoose();
    void this.#upkeep.returnSpace();
  }

  async claim(sessionID: string, why: "turn" | "call", first: readonly NewEvent[] = []): Promise<Claim> {
    this.#check(sessionID);
    const encoded = encodeEvents(first, Date.now());
    const find = (): SessionRow => this.#require(sessionID);
    const claim = await this.#withRoom(sessionID, sizeOf(encoded), () => this.#upkeep.claim(find, why, encoded));
    let released: Promise<void> | undefined;
    return {
      epoch: claim.key,
      ...(claim.position === undefined ? {} : { position: claim.position }),
      release: () => {
        released ??= this.#closing ?? this.#upkeep.release(claim);
        return released;
      },
    };
  }

  async snapshot(sessionID: string): Promise<unknown> {
    this.#check(sessionID);
    return this.#parts.read(() => this.#parts.tables.snapshot(this.#require(sessionID).key));
  }

  async readAt(sessionID: string, positions: readonly number[]): Promise<readonly StoredEvent[]> {
    this.#check(sessionID);
    return this.#parts.eventsAt(() => this.#require(sessionID), positions);
  }

  async storeSnapshot({ id, createdAt }: Pick<SessionInfo, "id" | "createdAt">, snapshot: LogSnapshot): Promise<void> {
    this.#check(id);
    const apply = (): void => {
      const row = this.#find(id);
      const isOf = row?.info.createdAt === createdAt && snapshot.position <= row.info.position;
      if (isOf) this.#parts.tables.storeSnapshot(row.key, snapshot);
    };
    await this.#parts.queue.run({ volatile: true, apply });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#liveTimer);
    await this.#upkeep.close();
    this.#parts.followed.close();
    tryOrUndefined(() => this.#parts.opened.database.close());
  }

  async #commit(sessionID: string, bytes: number, apply: () => Appended): Promise<SessionInfo> {
    const [appended] = await this.#withRoom(sessionID, bytes, () => this.#parts.commit(() => [apply()]));
    return (appended as Appended).info;
  }

  /** Does what makes a session larger by so many bytes. Idle sessions are removed until it fits into the memory, or the limit. */
  async #withRoom<T>(sessionID: string, bytes: number, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.#upkeep.room.store(sessionID, bytes, work);
      } catch (error) {
        const { maxBytes } = this.#parts.opened;
        if (maxBytes === undefined || !SessionError.is(error) || error.code !== "store_full") throw error;
        if (!(await this.#upkeep.removeOldest(this.#find(sessionID)?.key))) throw memoryFull(maxBytes);
      }
    }
  }

  #checkOpen(): void {
    if (this.#closing) throw storeClosed();
  }

  #check(sessionID: string): void {
    this.#checkOpen();
    checkSessionID(sessionID);
  }

  #find(sessionID: string): SessionRow | undefined {
    return this.#parts.tables.find(this.#project.key, sessionID);
  }

  #require(sessionID: string): SessionRow {
    const row = this.#find(sessionID);
    if (!row) throw sessionNotFound(sessionID);
    return row;
  }

  #requireNew(sessionID: string): void {
    if (this.#find(sessionID)) throw sessionExists(sessionID);
  }

  #writeLive(): void {
    this.#liveTimer = undefined;
    if (!this.#closing) void this.#parts.writeLive();
  }
}

function sizeOf(events: readonly EncodedEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

function memoryFull(maxBytes: number): SessionError {
  return new SessionError(
    "store_full",
    `The sessions in memory have reached their limit of ${maxBytes / 1_000_000} MB, and all others are in use. Remove sessions, or store them on disk.`,
  );
}
