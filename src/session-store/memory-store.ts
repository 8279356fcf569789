import { randomUUID } from "node:crypto";
import {
  BRANCH_REASON,
  branchInfo,
  endsOf,
  firstInfo,
  infoAfter,
  interruptionOf,
  isOpen,
  TURN_WITHOUT_END,
  turnInterruptionOf,
} from "../core/session-info.ts";
import type { DurableEvent, FollowedEvent, LiveEvent, SessionInfo, StoredEvent } from "../core/session-log.ts";
import {
  type AppendOptions,
  type Claim,
  type ListSessions,
  type NewEvent,
  type NewSession,
  SessionError,
  type SessionPage,
  type SessionStore,
} from "../core/session-store.ts";
import { type EncodedEvent, encodeEvent, encodeEvents, toStoredEvent } from "./encode-event.ts";
import { followFeed } from "./feed-reader.ts";
import { type ListKey, searchTextOf, toListQuery, toPage } from "./list-query.ts";
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
  sessionRemoved,
  storeClosed,
  superseded,
} from "./session-checks.ts";
import { SessionFeed } from "./session-feed.ts";

const DEFAULT_MAX_BYTES = 256_000_000;
/** About the memory of an event in addition to its JSON, and of a session without events. */
const EVENT_BYTES = 100;
const SESSION_BYTES = 1_000;

export interface MemoryStoreOptions {
  /** The root of the project. */
  readonly project: string;
  /** The maximum size of all sessions. Beyond it, idle sessions are dropped, those that changed longest ago first. */
  readonly maxBytes?: number;
}

/** Sessions that end with the process. */
export function createMemoryStore(options: MemoryStoreOptions): SessionStore {
  return new MemoryStore(options);
}

/** An event as JSON: a reader that changes an event must not change the log. */
interface LogEntry {
  readonly type: DurableEvent["type"];
  readonly json: string;
  readonly at: number;
  readonly bytes: number;
}

interface Session {
  info: SessionInfo;
  readonly log: LogEntry[];
  /** Why this process is an owner, by the epoch of the claim. */
  readonly claims: Map<number, "turn" | "call">;
  bytes: number;
  /** Set once the session was followed, or something was streamed. */
  feed: SessionFeed | undefined;
}

class MemoryStore implements SessionStore {
  readonly #project: string;
  readonly #maxBytes: number;
  /** The session that changed longest ago is the first. */
  readonly #sessions = new Map<string, Session>();
  #bytes = 0;
  #lastEpoch = 0;
  #isClosed = false;

  constructor({ project, maxBytes = DEFAULT_MAX_BYTES }: MemoryStoreOptions) {
    this.#project = project;
    this.#maxBytes = maxBytes;
  }

  async create({ id = randomUUID(), ...header }: NewSession): Promise<SessionInfo> {
    this.#checkNew(id);
    const start = encodeEvent({ ...header, type: "session.start" }, Date.now());
    const first = toStoredEvent(start.event, 1, start.at) as StoredEvent & { readonly type: "session.start" };
    return this.#add(firstInfo({ id, project: this.#project }, first), [toLogEntry(start)]);
  }

  async get(sessionID: string): Promise<SessionInfo | undefined> {
    this.#checkOpen();
    checkSessionID(sessionID);
    return this.#sessions.get(sessionID)?.info;
  }

  async append(
    sessionID: string,
    events: readonly NewEvent[],
    { expected, epoch }: AppendOptions = {},
  ): Promise<number> {
    const session = this.#find(sessionID);
    const encoded = encodeEvents(events, Date.now());
    if (expected !== undefined) checkPosition("expected", expected);
    if (epoch !== undefined && !session.claims.has(epoch)) throw superseded(sessionID);
    checkExpected(sessionID, expected, session.info.position);
    if (encoded.length > 0) this.#append(session, encoded);
    return session.info.position;
  }

  async read(
    sessionID: string,
    after: number,
    limit: number,
    types?: readonly DurableEvent["type"][],
  ): Promise<readonly StoredEvent[]> {
    const { log } = this.#find(sessionID);
    checkPosition("after", after);
    checkLimit(limit);
    const found: StoredEvent[] = [];
    for (let index = after; index < log.length && found.length < limit; index += 1) {
      const entry = log[index];
      if (entry && (types?.includes(entry.type) ?? true)) found.push(toEvent(entry, index + 1));
    }
    return found;
  }

  follow(sessionID: string, after: number, signal: AbortSignal): AsyncIterable<FollowedEvent> {
    const open = (enter: (feed: SessionFeed) => void): void => {
      const session = this.#find(sessionID);
      checkPosition("after", after);
      checkWithinLog(sessionID, after, session.info.position);
      enter(this.#feedOf(session));
    };
    return followFeed(open, after, signal);
  }

  publish(sessionID: string, event: LiveEvent): void {
    const session = this.#sessions.get(sessionID);
    if (session) this.#feedOf(session).publish(event);
  }

  async list(options?: ListSessions): Promise<SessionPage> {
    this.#checkOpen();
    const query = toListQuery(options);
    const { after, status, search } = query;
    const found = [...this.#sessions.values()]
      .map(({ info }) => info)
      .filter((info) => status === undefined || info.status === status)
      .filter((info) => search === "" || searchTextOf(info).includes(search))
      .filter((info) => after === undefined || compareKeys(info, after) > 0)
      .sort(compareKeys);
    return toPage(found, query);
  }

  async branch(
    sessionID: string,
    at: number,
    { id = randomUUID() }: { readonly id?: string } = {},
  ): Promise<SessionInfo> {
    const { info, log } = this.#find(sessionID);
    checkBranchPosition(sessionID, at, info.position);
    this.#checkNew(id);
    const entries = log.slice(0, at);
    const now = Date.now();
    const branch = branchInfo(foldInfo(info, entries), { id, at: now });
    const interruption = interruptionOf(branch, BRANCH_REASON);
    if (!interruption) return this.#add(branch, entries);
    const end = encodeEvent(interruption, now);
    return this.#add(infoAfter(branch, toStoredEvent(end.event, at + 1, now)), [...entries, toLogEntry(end)]);
  }

  async remove(sessionID: string): Promise<void> {
    const session = this.#find(sessionID);
    this.#drop(session);
    session.feed?.end(sessionRemoved(sessionID));
  }

  async claim(sessionID: string, why: "turn" | "call", first: readonly NewEvent[] = []): Promise<Claim> {
    const session = this.#find(sessionID);
    const { claims } = session;
    const encoded = encodeEvents(first, Date.now());
    if (why === "turn" && [...claims.values()].includes("turn")) throw sessionOwned(sessionID);
    if (encoded.length > 0) this.#append(session, encoded);
    const epoch = ++this.#lastEpoch;
    claims.set(epoch, why);
    return {
      epoch,
      ...(encoded.length > 0 ? { position: session.info.position } : {}),
      release: async () => {
        if (claims.delete(epoch) && this.#sessions.get(sessionID) === session) this.#endReleased(session, why);
      },
    };
  }

  /** Ends what the owner of a claim that is over has left open in a session. */
  #endReleased(session: Session, why: "turn" | "call"): void {
    const { info, claims, log } = session;
    if (!isOpen(info)) return;
    if (claims.size === 0) return this.#append(session, encodeEvents(endsOf(info, why === "turn"), Date.now()));
    const starts = (): StoredEvent[] => log.map((entry, index) => toEvent(entry, index + 1));
    const isTurnOver = why === "turn" && info.turn === "running";
    const event = isTurnOver ? turnInterruptionOf(info, starts(), TURN_WITHOUT_END) : undefined;
    if (event) this.#append(session, encodeEvents([event], Date.now()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { feed } of this.#sessions.values()) feed?.end();
    this.#sessions.clear();
    this.#bytes = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw storeClosed();
  }

  #checkNew(id: string): void {
    this.#checkOpen();
    checkSessionID(id);
    if (this.#sessions.has(id)) throw sessionExists(id);
  }

  #find(sessionID: string): Session {
    this.#checkOpen();
    checkSessionID(sessionID);
    const session = this.#sessions.get(sessionID);
    if (!session) throw sessionNotFound(sessionID);
    return session;
  }

  #add(info: SessionInfo, log: LogEntry[]): SessionInfo {
    const bytes = SESSION_BYTES + sizeOf(log);
    this.#makeRoom(bytes);
    this.#sessions.set(info.id, { info, log, claims: new Map(), bytes, feed: undefined });
    this.#bytes += bytes;
    return info;
  }

  #append(session: Session, encoded: readonly EncodedEvent[]): void {
    const entries = encoded.map(toLogEntry);
    const bytes = sizeOf(entries);
    this.#makeRoom(bytes, session);
    const stored = encoded.map(({ event, at }, index) => toStoredEvent(event, session.log.length + index + 1, at));
    for (const entry of entries) session.log.push(entry);
    session.info = stored.reduce(infoAfter, session.info);
    session.bytes += bytes;
    this.#bytes += bytes;
    this.#sessions.delete(session.info.id);
    this.#sessions.set(session.info.id, session);
    session.feed?.stored(stored);
  }

  /** Drops idle sessions, except `growing`, until there is room. Throws, and drops none, if there are too few. */
  #makeRoom(bytes: number, growing?: Session): void {
    let excess = this.#bytes + bytes - this.#maxBytes;
    const dropped: Session[] = [];
    for (const session of this.#sessions.values()) {
      if (excess <= 0) break;
      if (session === growing || !isIdle(session)) continue;
      dropped.push(session);
      excess -= session.bytes;
    }
    if (excess > 0) throw storeFull(this.#maxBytes);
    for (const session of dropped) this.#drop(session);
  }

  #drop(session: Session): void {
    this.#sessions.delete(session.info.id);
    this.#bytes -= session.bytes;
  }

  #feedOf(session: Session): SessionFeed {
    const { id, position } = session.info;
    session.feed ??= new SessionFeed({
      sessionID: id,
      position,
      read: (after, limit) => this.read(id, after, limit),
    });
    return session.feed;
  }
}

function isIdle({ info, claims, feed }: Session): boolean {
  return claims.size === 0 && !feed?.hasReaders && !isOpen(info);
}

function toLogEntry({ event, json, at, bytes }: EncodedEvent): LogEntry {
  return { type: event.type, json, at, bytes: bytes + EVENT_BYTES };
}

function toEvent({ json, at }: LogEntry, position: number): StoredEvent {
  return toStoredEvent(JSON.parse(json) as DurableEvent, position, at);
}

function sizeOf(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The info of a session after these events, the first of its log. */
function foldInfo(info: SessionInfo, entries: readonly LogEntry[]): SessionInfo {
  if (entries.length === info.position) return info;
  const [first, ...others] = entries.map((entry, index) => toEvent(entry, index + 1));
  return others.reduce(infoAfter, firstInfo(info, first as StoredEvent & { readonly type: "session.start" }));
}

function compareKeys(a: ListKey, b: ListKey): number {
  if (a.updatedAt !== b.updatedAt) return b.updatedAt - a.updatedAt;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function storeFull(maxBytes: number): SessionError {
  return new SessionError(
    "store_full",
    `The sessions in memory have reached their limit of ${maxBytes / 1_000_000} MB, and all others are in use. Remove sessions, or store them on disk.`,
  );
}
