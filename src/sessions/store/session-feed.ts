import type { FollowedEvent, LiveEvent, StoredEvent } from "../../core/session-log.ts";
import { SessionError } from "../../core/session-store.ts";
import { setBounded } from "../../platform/values/set-bounded.ts";
import { EventRing } from "./event-ring.ts";
import { mergeLive, PartialState } from "./partial-state.ts";
import { sessionRemoved } from "./session-checks.ts";

/** The number of stored events that are read at once. */
const PAGE_SIZE = 100;
/** The number of pages that are remembered, to share them. */
const MAX_PAGES = 1_000;
/** After so many events were dropped from the ring, readers are checked for having fallen behind. */
const CHECK_READERS_AFTER = 1_000;

/** The log of a session, as its feed needs it. */
interface FeedSource {
  readonly sessionID: string;
  /** The position of the last stored event. */
  readonly position: number;
  read(after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** Called when the first reader comes, and when the last one leaves. */
  onReadersChange?(hasReaders: boolean): void;
}

/** What a feed knows of a reader. None of its methods throws. */
export interface FeedMember {
  /** The index in the ring of its next event; undefined while it reads stored events. */
  readonly cursor: number | undefined;
  /** There may be events to take. */
  wake(): void;
  /** Its cursor is no longer in the ring. */
  cutOff(): void;
  fail(error: unknown): void;
}

/** Where a reader goes on in the ring, and the events that it gets before. */
interface Joined {
  readonly events: readonly FollowedEvent[];
  readonly cursor: number;
}

/**
 * Passes the new events of one session to its readers in this process (`FeedReader`). The readers share the events and one
 * wake-up; each has only a cursor. The store calls `stored` after each commit, in the order of positions, and `advance` when
 * another process has written.
 */
export class SessionFeed {
  readonly sessionID: string;
  readonly #source: FeedSource;
  readonly #ring = new EventRing();
  readonly #partial = new PartialState();
  readonly #readers = new Set<FeedMember>();
  #waiting = new Set<FeedMember>();
  #wakesSoon = false;
  /** The index after the last event that a reader has taken. Later events may still be merged. */
  #taken = 0;
  /** The index of the first event that must not be dropped yet. */
  #keepFrom = 0;
  #position: number;
  /** The position that the log has at least. The events up to it are being read. */
  #target: number;
  #reading: Promise<void> | undefined;
  #nextCheck = CHECK_READERS_AFTER;
  /** The pages that were read last, by the position before them, as long as a reader uses them. */
  readonly #pages = new Map<number, WeakRef<readonly StoredEvent[]>>();
  readonly #readingPages = new Map<number, Promise<readonly StoredEvent[]>>();
  #ended: { readonly error: SessionError | undefined } | undefined;

  constructor(source: FeedSource) {
    this.sessionID = source.sessionID;
    this.#source = source;
    this.#position = source.position;
    this.#target = source.position;
  }

  /** The position of the last event that was passed to readers. */
  get position(): number {
    return this.#position;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** Whether a new feed would do the same: there are no readers, and nothing is unfinished. */
  get isUnused(): boolean {
    return this.#readers.size === 0 && this.#partial.isEmpty;
  }

  /** Set after `end`. */
  get ended(): { readonly error: SessionError | undefined } | undefined {
    return this.#ended;
  }

  /** Passes on stored events. Known ones are skipped; if there is a gap before them, the missing ones are read first. */
  stored(events: readonly StoredEvent[]): void {
    const first = events.findIndex(({ position }) => position > this.#position);
    if (first === -1 || this.#ended) return;
    const added = first === 0 ? events : events.slice(first);
    const last = (added.at(-1) as StoredEvent).position;
    if ((added[0] as StoredEvent).position > this.#position + 1) return this.advance(last);
    this.#position = last;
    this.#target = Math.max(this.#target, last);
    this.#push(
      added.flatMap((event) => {
        const missing = this.#partial.missingBefore(event);
        this.#partial.finish(event);
        return [...missing, event];
      }),
    );
  }

  /** Reads and passes on the events up to a position. */
  advance(position: number): void {
    if (position <= this.#target || this.#ended) return;
    this.#target = position;
    if (this.isUnused) this.#position = position;
    else this.#reading ??= this.#readMissing();
  }

  /** Resolves when the feed has reached a position. */
  async reach(position: number): Promise<void> {
    this.advance(position);
    await this.#reading;
  }

  /** Passes on a live event. It may be merged with the one before it. Returns false if it is ignored: see `PartialState`. */
  publish(event: LiveEvent): boolean {
    if (this.#ended || !this.#partial.add(event)) return false;
    if (!this.hasReaders) return true;
    const last = this.#ring.end > this.#taken ? this.#ring.at(this.#ring.end - 1) : undefined;
    const merged = last && mergeLive(last, event);
    if (merged) this.#ring.replaceLast(merged);
    else this.#push([event]);
    return true;
  }

  /** Ends all readers after the events that they can still take: with an error, or normally. */
  end(error?: SessionError): void {
    this.#ended ??= { error };
    this.#wakeSoon();
  }

  /**
   * Stored events, for a reader that is not joined yet. They are passed on if they are new to the feed. Readers of the same part
   * of the log share the events: many readers that stop reading there must not fill the memory.
   */
  page(after: number): Promise<readonly StoredEvent[]> {
    const used = this.#pages.get(after)?.deref();
    if (used) return Promise.resolve(used);
    const reading = this.#readingPages.get(after) ?? this.#readPage(after);
    this.#readingPages.set(after, reading);
    return reading;
  }

  async #readPage(after: number): Promise<readonly StoredEvent[]> {
    try {
      const events = await this.#readStored(after);
      setBounded(this.#pages, after, new WeakRef(events), MAX_PAGES);
      return events;
    } finally {
      this.#readingPages.delete(after);
    }
  }

  async #readStored(after: number): Promise<readonly StoredEvent[]> {
    const events = await this.#source.read(after, PAGE_SIZE).catch((error: unknown) => {
      if (SessionError.is(error) && error.code === "session_not_found") return [];
      throw error;
    });
    if (events.length === 0) throw sessionRemoved(this.sessionID);
    this.stored(events);
    return events;
  }

  enter(reader: FeedMember): void {
    this.#readers.add(reader);
    if (this.#readers.size === 1) this.#source.onReadersChange?.(true);
  }

  leave(reader: FeedMember): void {
    this.#waiting.delete(reader);
    if (!this.#readers.delete(reader) || this.hasReaders) return;
    this.#ring.clear();
    this.#source.onReadersChange?.(false);
  }

  /** Lets a reader that has the events up to a position go on in the ring. Undefined if it has to read stored events first. */
  join(position: number): Joined | undefined {
    const missing = this.#newerThan(position);
    if (!missing) return undefined;
    const cursor = this.#ring.end;
    this.#taken = cursor;
    const partial = this.#partial.snapshot();
    return { events: partial ? [...missing, partial] : missing, cursor };
  }

  /** The event at a cursor; undefined if there is none yet, or no longer. */
  take(cursor: number): FollowedEvent | undefined {
    const event = this.#ring.at(cursor);
    if (event && cursor >= this.#taken) this.#taken = cursor + 1;
    return event;
  }

  /** Whether a reader with this cursor did not keep up. */
  hasLost(cursor: number): boolean {
    return cursor < this.#ring.start;
  }

  /** Wakes a reader, whose cursor is at the end of the ring, at the next event. */
  wait(reader: FeedMember): void {
    this.#waiting.add(reader);
    // Once all readers have taken the events of the ring, they are not needed.
    if (this.#waiting.size === this.#readers.size && !this.#wakesSoon) this.#ring.clear();
  }

  /** The stored events after a position, if the ring has all of them. */
  #newerThan(position: number): readonly StoredEvent[] | undefined {
    const count = this.#position - position;
    if (count < 0 || count > this.#ring.end - this.#ring.start) return undefined;
    const found: StoredEvent[] = [];
    for (let index = this.#ring.end - 1; found.length < count && index >= this.#ring.start; index -= 1) {
      const event = this.#ring.at(index);
      if (event && "position" in event) found.push(event);
    }
    return found.length === count ? found.reverse() : undefined;
  }

  #push(events: readonly FollowedEvent[]): void {
    if (!this.hasReaders) return;
    // Waiting readers get a chance to take all events that are added before they wake.
    if (!this.#wakesSoon) this.#keepFrom = this.#ring.end;
    this.#ring.push(events, this.#keepFrom);
    if (this.#ring.start >= this.#nextCheck) this.#cutOffReaders();
    this.#wakeSoon();
  }

  #cutOffReaders(): void {
    this.#nextCheck = this.#ring.start + CHECK_READERS_AFTER;
    for (const reader of [...this.#readers])
      if (reader.cursor !== undefined && this.hasLost(reader.cursor)) reader.cutOff();
  }

  /** Once for all events of this turn of the event loop, and for all readers. */
  #wakeSoon(): void {
    if (this.#wakesSoon || this.#waiting.size === 0) return;
    this.#wakesSoon = true;
    queueMicrotask(() => {
      this.#wakesSoon = false;
      const waiting = this.#waiting;
      this.#waiting = new Set();
      for (const reader of waiting) reader.wake();
    });
  }

  async #readMissing(): Promise<void> {
    try {
      while (this.#position < this.#target && !this.#ended) await this.page(this.#position);
    } catch (error) {
      this.#target = this.#position;
      for (const reader of [...this.#readers]) reader.fail(error);
    } finally {
      this.#reading = undefined;
    }
  }
}
