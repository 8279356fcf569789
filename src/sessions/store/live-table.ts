import type { DurableEvent, LiveEvent } from "../../core/session-log.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { completedBy, mergeLive } from "./partial-state.ts";
import type { SessionOwners } from "./session-owners.ts";
import type { SqlDatabase, SqlStatement } from "./sqlite-driver.ts";

/** The position of a session, and what other processes stream in it there. */
interface LiveNews {
  readonly position: number;
  readonly rows: readonly { readonly seq: number; readonly event: LiveEvent }[];
}

/**
 * Live events of unfinished messages and calls, for readers in other processes. They are merged before they are written, and
 * removed with the event that completes the message or call, or with the entry of their process. Methods that write must run in a transaction.
 */
export class LiveTable {
  readonly #owners: SessionOwners;
  /** By session, then by source: events that are not written yet. */
  readonly #pending = new Map<number, Map<string, LiveEvent[]>>();
  readonly #add: SqlStatement;
  readonly #news: SqlStatement;
  readonly #remove: SqlStatement;
  readonly #removeMessages: SqlStatement;
  readonly #removeAll: SqlStatement;

  constructor(database: SqlDatabase, owners: SessionOwners) {
    this.#owners = owners;
    this.#add = database.prepare("INSERT INTO live (session, writer, source, data) VALUES (?, ?, ?, ?)");
    // One statement, so that the rows belong to the position.
    this.#news = database.prepare(
      `SELECT position, seq, live.data FROM sessions LEFT JOIN live ON session = key AND seq > ? AND writer <> ?
       WHERE key = ? ORDER BY seq`,
    );
    this.#remove = database.prepare("DELETE FROM live WHERE session = ? AND source = ?");
    this.#removeMessages = database.prepare("DELETE FROM live WHERE session = ? AND source GLOB 'message:*'");
    this.#removeAll = database.prepare("DELETE FROM live WHERE session = ?");
  }

  /** Takes an event that `write` will write. */
  add(session: number, event: LiveEvent): void {
    const sources = this.#pending.get(session) ?? new Map<string, LiveEvent[]>();
    this.#pending.set(session, sources);
    const source = sourceOf(event);
    const events = sources.get(source) ?? [];
    const last = events.at(-1);
    const merged = last && mergeLive(last, event);
    sources.set(source, merged ? [...events.slice(0, -1), merged] : [...events, event]);
  }

  /** Writes the events since the last call of `clear`. May be repeated: the transaction may fail. */
  write(): void {
    for (const [session, sources] of this.#pending) {
      for (const [source, events] of sources) {
        // Only the last update of a call counts.
        if (source.startsWith("call:")) this.#remove.run(session, source);
        for (const event of events) {
          const json = tryOrUndefined(() => JSON.stringify(event));
          if (json !== undefined) this.#add.run(session, this.#owners.key, source, json);
        }
      }
    }
  }

  /** Forgets the events that were written, or that cannot be. */
  clear(): void {
    this.#pending.clear();
  }

  /** The events of other processes after `seq`. Undefined if the session was removed. */
  news(session: number, seq: number): LiveNews | undefined {
    const found = this.#news.all(seq, this.#owners.key, session);
    if (found.length === 0) return undefined;
    const rows = found.filter((row) => row.seq !== null);
    return {
      position: Number(found[0]?.position),
      rows: rows.map((row) => ({ seq: Number(row.seq), event: JSON.parse(String(row.data)) as LiveEvent })),
    };
  }

  /** Removes what durable events of a session complete. */
  finish(session: number, events: readonly DurableEvent[]): void {
    for (const { messageID, callIDs, allMessages } of events.map(completedBy)) {
      if (messageID !== undefined) this.#finishSource(session, `message:${messageID}`);
      for (const callID of callIDs) this.#finishSource(session, `call:${callID}`);
      if (allMessages) this.#finishMessages(session);
    }
  }

  removeAll(session: number): void {
    this.#pending.delete(session);
    this.#removeAll.run(session);
  }

  #finishMessages(session: number): void {
    const sources = this.#pending.get(session);
    for (const source of [...(sources?.keys() ?? [])]) if (source.startsWith("message:")) sources?.delete(source);
    this.#removeMessages.run(session);
  }

  #finishSource(session: number, source: string): void {
    this.#pending.get(session)?.delete(source);
    this.#remove.run(session, source);
  }
}

function sourceOf(event: LiveEvent): string {
  return event.type === "tool.update" ? `call:${event.callID}` : `message:${event.messageID}`;
}
