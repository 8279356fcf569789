import { type DurableEvent, LOG_VERSION, type SessionInfo, type StoredEvent } from "../../core/session-log.ts";
import type { LogSnapshot } from "../../core/session-store.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { endsOf, firstInfo, infoAfter, interruptionOf, turnInterruptionOf } from "../log/session-info.ts";
import { type EncodedEvent, encodeEvent, encodeEvents, toStoredEvent } from "./encode-event.ts";
import { searchTextOf } from "./list-query.ts";
import type { SqlDatabase, SqlRow, SqlStatement } from "./sqlite-driver.ts";

/** A session in the database. Keys are never used again, unlike ids. */
export interface SessionRow {
  readonly key: number;
  readonly info: SessionInfo;
}

/** A session to add. */
export interface NewRow {
  readonly id: string;
  readonly project: { readonly key: number; readonly root: string };
}

/** A session after events were added to it, and these events. */
export interface Appended extends SessionRow {
  readonly events: readonly StoredEvent[];
}

/** The positions after one, up to another. */
interface Span {
  readonly after: number;
  readonly to: number;
}

/** The sessions and events of a database. Methods that write must run in a transaction. */
export class SessionTables {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: SqlDatabase) {
    this.#statements = prepare(database);
  }

  /** The key of a project, which is added if it is new. Its sessions are kept for some days: see `SessionLimits`. */
  addProject(root: string, keepDays: number): number {
    return Number(this.#statements.addProject.get(root, keepDays)?.key);
  }

  find(project: number, id: string): SessionRow | undefined {
    return toRow(this.#statements.find.get(project, id));
  }

  byKey(key: number): SessionRow | undefined {
    return toRow(this.#statements.byKey.get(key));
  }

  /** The events after a position. Fewer than `limit` if they are large, but at least one if there is one. */
  events(key: number, after: number, limit: number): StoredEvent[] {
    return page(this.#statements.events.iterate(key, after, limit));
  }

  /** The events of some types after one position, up to another. Fewer than `limit` if they are large. */
  eventsOfTypes(key: number, { after, to }: Span, limit: number, types: readonly string[]): StoredEvent[] {
    return page(this.#statements.eventsOfTypes.iterate(key, after, to, JSON.stringify(types), limit));
  }

  eventsAt(key: number, positions: readonly number[]): StoredEvent[] {
    return page(this.#statements.eventsAt.iterate(key, JSON.stringify(positions)));
  }

  add({ id, project }: NewRow, start: EncodedEvent): Appended {
    const key = this.#addRow(project.key, id);
    this.#addEvent(key, 1, start);
    const event = toStoredEvent(start.event, 1, start.at) as StoredEvent & { readonly type: "session.start" };
    const info = this.#notBefore(firstInfo({ id, project: project.root }, event));
    this.#update(key, info);
    this.#setTitle(key, info);
    return { key, info, events: [event] };
  }

  append({ key, info: before }: SessionRow, encoded: readonly EncodedEvent[]): Appended {
    let info = before;
    const events = encoded.map((each) => {
      const event = toStoredEvent(each.event, info.position + 1, each.at);
      this.#addEvent(key, event.position, each);
      info = infoAfter(info, event);
      return event;
    });
    if (events.length > 0) this.#update(key, info);
    if (info.title !== before.title) this.#setTitle(key, info);
    return { key, info, events };
  }

  /** Ends what is open in a session, since it does not run. */
  interrupt(row: SessionRow, reason: string, now: number): Appended {
    const event = interruptionOf(row.info, reason);
    return this.append(row, event ? [encodeEvent(event, now)] : []);
  }

  /** Ends what is open in a session that no process runs: see `endsOf`. */
  end(row: SessionRow, isTurnOver: boolean, now: number): Appended {
    return this.append(row, encodeEvents(endsOf(row.info, isTurnOver), now));
  }

  /** Ends the turn of a session and what its agent has open, but not the calls of users. */
  interruptTurn(row: SessionRow, reason: string, now: number): Appended {
    const event = turnInterruptionOf(row.info, this.#startsOf(row), reason);
    return this.append(row, event ? [encodeEvent(event, now)] : []);
  }

  /** The starts of calls and the questions of a session, from the first one on that is open, or whose call an open question belongs to. */
  #startsOf({ key, info }: SessionRow): readonly StoredEvent[] {
    const missing = new Set([...info.openCalls, ...info.openQuestions]);
    let starts: readonly StoredEvent[] = [];
    for (let to = info.position; to > 0 && missing.size > 0; to -= SPAN) {
      const found = [...this.#starts(key, Math.max(0, to - SPAN), to)];
      for (const event of found.toReversed()) {
        if (event.type === "tool.start") missing.delete(event.callID);
        if (event.type === "question.asked" && missing.delete(event.questionID)) missing.add(event.callID);
      }
      starts = [...found, ...starts];
    }
    return starts;
  }

  *#starts(key: number, after: number, to: number): Generator<StoredEvent> {
    for (let at = after; at < to; ) {
      const events = this.eventsOfTypes(key, { after: at, to }, SPAN, ["tool.start", "question.asked"]);
      yield* events;
      at = events.at(-1)?.position ?? to;
    }
  }

  /** The session, if a turn, a call or a question is open. */
  open(key: number): SessionRow | undefined {
    return toRow(this.#statements.open.get(key));
  }

  /** The sessions that are open in their logs, although no process claims them or has written to them for so long. */
  unclaimed(now: number, ms: number): readonly SessionRow[] {
    return this.#statements.unclaimed.all(now - ms, now + ms).flatMap((row) => toRow(row) ?? []);
  }

  /** A key that no session has had, for events without a session. */
  reserveKey(project: number): number {
    const key = this.#addRow(project, "");
    this.#statements.removeSession.run(key);
    return key;
  }

  copyEvents(key: number, source: number, { after, to }: Span): void {
    this.#statements.copyEvents.run(key, source, after, to);
  }

  /** A new session with a reserved key, whose events are copies of those of another one. */
  addBranch(source: SessionRow, { key, id, project, info }: NewRow & SessionRow): SessionRow {
    this.#statements.addBranch.run(key, project.key, id);
    this.#statements.copySnapshot.run(key, source.key, info.position);
    const added = { key, info: this.#notBefore(info) };
    this.#update(key, added.info);
    this.#setTitle(key, added.info);
    return added;
  }

  /** About the size of the events of a session up to a position. */
  copySize(key: number, position: number): number {
    return position * Number(this.#statements.averageSize.get(key, position)?.bytes ?? 0);
  }

  /** The snapshot of a session, which may be wrong. Undefined if there is none. */
  snapshot(key: number): unknown {
    const data = this.#statements.snapshot.get(key)?.data;
    return data === undefined ? undefined : tryOrUndefined(() => JSON.parse(String(data)));
  }

  storeSnapshot(key: number, snapshot: LogSnapshot): void {
    this.#statements.storeSnapshot.run(key, snapshot.position, JSON.stringify(snapshot));
  }

  /** The events stay: see `LooseEvents`. */
  remove(key: number): void {
    this.#statements.removeSnapshot.run(key);
    this.#statements.removeTitle.run(key);
    this.#statements.removeSession.run(key);
  }

  /** A new session is not older than the reference of the ages, even if the clock is behind: it would be removed when the clock is set. */
  #notBefore(info: SessionInfo): SessionInfo {
    const reference = Number(this.#statements.time.get(AGE_REFERENCE)?.at ?? 0);
    return { ...info, updatedAt: Math.max(info.updatedAt, reference) };
  }

  #addRow(project: number, id: string): number {
    return Number(this.#statements.addSession.get(project, id)?.key);
  }

  #addEvent(key: number, position: number, { event, json, at }: EncodedEvent): void {
    this.#statements.addEvent.run(key, position, at, LOG_VERSION, event.type, json);
  }

  #setTitle(key: number, info: SessionInfo): void {
    this.#statements.setTitle.run(key, searchTextOf(info));
  }

  #update(key: number, info: SessionInfo): void {
    this.#statements.update.run(JSON.stringify(info), info.updatedAt, info.position, key);
  }
}

/** The number of positions in which events of some types are looked for at once. */
export const SPAN = 5_000;
/** The name of the time by which the ages of sessions are measured: see `SessionLimits`. */
export const AGE_REFERENCE = "age reference";
/** Not parsed as JSON: each release of a claim asks this, and almost no session is open then. The index `sessions_open` has the same condition. */
const IS_OPEN = `(instr(info, '"status":"running"') > 0 OR instr(info, '"status":"waiting"') > 0)`;
/** In one statement: of a removed session, the first events may be deleted already. */
const OF_SESSION = "session = (SELECT key FROM sessions WHERE key = ?)";
/** The JSON of the events that are read at once: one event may have 16 MB, and a slow reader keeps what it has read. */
const MAX_PAGE_LENGTH = 1_000_000;

function prepare(database: SqlDatabase): {
  readonly [Name in
    | "addProject"
    | "find"
    | "byKey"
    | "open"
    | "unclaimed"
    | "events"
    | "eventsOfTypes"
    | "eventsAt"
    | "addSession"
    | "addEvent"
    | "update"
    | "copyEvents"
    | "addBranch"
    | "time"
    | "averageSize"
    | "snapshot"
    | "storeSnapshot"
    | "copySnapshot"
    | "removeSnapshot"
    | "setTitle"
    | "removeTitle"
    | "removeSession"]: SqlStatement;
} {
  return {
    addProject: database.prepare(
      `INSERT INTO projects (root, keep_days) VALUES (?, ?)
       ON CONFLICT (root) DO UPDATE SET keep_days = excluded.keep_days RETURNING key`,
    ),
    find: database.prepare("SELECT key, info FROM sessions WHERE project = ? AND id = ?"),
    byKey: database.prepare("SELECT key, info FROM sessions WHERE key = ?"),
    open: database.prepare(`SELECT key, info FROM sessions WHERE key = ? AND ${IS_OPEN}`),
    unclaimed: database.prepare(
      `SELECT key, info FROM sessions
       WHERE ${IS_OPEN} AND updated NOT BETWEEN ? AND ? AND NOT EXISTS (SELECT 1 FROM claims WHERE session = sessions.key)`,
    ),
    events: database.prepare(
      `SELECT position, at, v, data FROM events WHERE ${OF_SESSION} AND position > ? ORDER BY position LIMIT ?`,
    ),
    eventsOfTypes: database.prepare(
      `SELECT position, at, v, data FROM events WHERE ${OF_SESSION} AND position > ? AND position <= ?
       AND type IN (SELECT value FROM json_each(?)) ORDER BY position LIMIT ?`,
    ),
    eventsAt: database.prepare(
      `SELECT position, at, v, data FROM events WHERE ${OF_SESSION}
       AND position IN (SELECT value FROM json_each(?)) ORDER BY position`,
    ),
    addSession: database.prepare(
      `INSERT INTO sessions (project, id, info, updated, position) VALUES (?, ?, '', 0, 0) RETURNING key`,
    ),
    addEvent: database.prepare("INSERT INTO events (session, position, at, v, type, data) VALUES (?, ?, ?, ?, ?, ?)"),
    update: database.prepare("UPDATE sessions SET info = ?, updated = ?, position = ? WHERE key = ?"),
    copyEvents: database.prepare(
      `INSERT INTO events (session, position, at, v, type, data)
       SELECT ?, position, at, v, type, data FROM events WHERE session = ? AND position > ? AND position <= ?`,
    ),
    addBranch: database.prepare(
      "INSERT INTO sessions (key, project, id, info, updated, position) VALUES (?, ?, ?, '', 0, 0)",
    ),
    time: database.prepare("SELECT at FROM times WHERE name = ?"),
    averageSize: database.prepare(
      `SELECT avg(octet_length(data)) AS bytes FROM (
         SELECT data FROM events WHERE session = ? AND position <= ? ORDER BY position DESC LIMIT 100)`,
    ),
    snapshot: database.prepare("SELECT data FROM snapshots WHERE session = ?"),
    storeSnapshot: database.prepare("INSERT OR REPLACE INTO snapshots (session, position, data) VALUES (?, ?, ?)"),
    // It names events by position, and the branch has the same ones.
    copySnapshot: database.prepare(
      `INSERT INTO snapshots (session, position, data)
       SELECT ?, position, data FROM snapshots WHERE session = ? AND position <= ?`,
    ),
    removeSnapshot: database.prepare("DELETE FROM snapshots WHERE session = ?"),
    setTitle: database.prepare("INSERT OR REPLACE INTO titles (session, text) VALUES (?, ?)"),
    removeTitle: database.prepare("DELETE FROM titles WHERE session = ?"),
    removeSession: database.prepare("DELETE FROM sessions WHERE key = ?"),
  };
}

function page(rows: Iterable<SqlRow>): StoredEvent[] {
  const events: StoredEvent[] = [];
  let length = 0;
  for (const row of rows) {
    events.push(toEvent(row));
    length += String(row.data).length;
    if (length >= MAX_PAGE_LENGTH) break;
  }
  return events;
}

function toRow(row: SqlRow | undefined): SessionRow | undefined {
  return row && { key: Number(row.key), info: JSON.parse(String(row.info)) as SessionInfo };
}

function toEvent({ data, position, at, v }: SqlRow): StoredEvent {
  return toStoredEvent(JSON.parse(String(data)) as DurableEvent, Number(position), Number(at), Number(v));
}
