import type { FollowedEvent } from "../../core/session-log.ts";
import { SessionError } from "../../core/session-store.ts";
import type { FeedMember, SessionFeed } from "./session-feed.ts";

/**
 * Finds the feed of a reader and passes it to `enter`. From the moment it is found until then, the feed must not be dropped: a
 * feed without readers may be. May throw or reject; so does the reader then.
 */
type OpenFeed = (enter: (feed: SessionFeed) => void) => void | Promise<void>;

/**
 * The events of a session after a position: stored ones, then one `session.partial` if anything is unfinished, then all events
 * as they occur. `open` is called when a reader takes its first event.
 */
export function followFeed(open: OpenFeed, after: number, signal: AbortSignal): AsyncIterable<FollowedEvent> {
  return { [Symbol.asyncIterator]: () => new FeedReader(open, after, signal) };
}

type Result = IteratorResult<FollowedEvent, undefined>;

interface Request {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const DONE: Result = Object.freeze({ done: true, value: undefined });

/** Not an async generator: `return()` of a generator waits for the event that the generator waits for. */
class FeedReader implements AsyncIterator<FollowedEvent, undefined>, FeedMember {
  readonly #open: OpenFeed;
  readonly #signal: AbortSignal;
  readonly #stop = (): void => this.#end();
  #hasBegun = false;
  #isEnded = false;
  #isLoading = false;
  #feed: SessionFeed | undefined;
  #failure: { readonly error: unknown } | undefined;
  /** The calls of `next` without a result, oldest first. */
  readonly #requests: Request[] = [];
  /** The events to take before those of the ring. */
  #events: readonly FollowedEvent[] = [];
  #nextEvent = 0;
  /** The position of the last stored event that was taken. */
  #position: number;
  cursor: number | undefined;

  constructor(open: OpenFeed, after: number, signal: AbortSignal) {
    this.#open = open;
    this.#position = after;
    this.#signal = signal;
  }

  next(): Promise<Result> {
    this.#begin();
    if (this.#requests.length === 0) {
      const result = this.#take();
      if (result) return Promise.resolve(result);
      if (this.#failure) return this.#rejectWithFailure(this.#failure.error);
    }
    return new Promise((resolve, reject) => {
      this.#requests.push({ resolve, reject });
      if (this.#requests.length === 1) this.#awaitEvents();
    });
  }

  return(): Promise<Result> {
    this.#end();
    return Promise.resolve(DONE);
  }

  wake(): void {
    while (this.#requests.length > 0) {
      const result = this.#take();
      if (!result) return this.#isEnded ? undefined : this.#awaitEvents();
      this.#requests.shift()?.resolve(result);
    }
  }

  cutOff(): void {
    this.fail(
      new SessionError(
        "reader_too_slow",
        `This reader of session ${JSON.stringify(this.#feed?.sessionID)} did not keep up with its events. Follow it again after position ${this.#position}.`,
      ),
    );
  }

  /** The current or next call of `next` rejects; later ones are done. */
  fail(error: unknown): void {
    if (this.#isEnded) return;
    const request = this.#requests.shift();
    if (!request) this.#failure = { error };
    this.#end();
    request?.reject(error);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (this.#signal.aborted) this.#end();
    else this.#signal.addEventListener("abort", this.#stop, { once: true });
  }

  /** Undefined if there is no event yet, or the reader has failed. */
  #take(): Result | undefined {
    if (this.#isEnded) return this.#failure ? undefined : DONE;
    const event = this.#nextEvent < this.#events.length ? this.#events[this.#nextEvent++] : this.#takeFromRing();
    if (!event) return this.#isEnded && !this.#failure ? DONE : undefined;
    if ("position" in event) this.#position = event.position;
    return { done: false, value: event };
  }

  #takeFromRing(): FollowedEvent | undefined {
    const feed = this.#feed;
    if (!feed || this.cursor === undefined) return undefined;
    const event = feed.take(this.cursor);
    if (event) this.cursor += 1;
    else if (feed.hasLost(this.cursor)) this.cutOff();
    else if (feed.ended) this.#endWith(feed.ended.error);
    return event;
  }

  /** Calls `wake` when there may be events. */
  #awaitEvents(): void {
    if (this.#feed && this.cursor !== undefined) this.#feed.wait(this);
    else if (!this.#isLoading) void this.#load();
  }

  /** Reads a page of stored events, or goes over to the ring. Never rejects. */
  async #load(): Promise<void> {
    this.#isLoading = true;
    try {
      if (!this.#feed) await this.#open((feed) => this.#enter(feed));
      if (this.#feed && !this.#isEnded) await this.#loadFrom(this.#feed);
    } catch (error) {
      if (this.#feed?.ended) this.#endWith(this.#feed.ended.error);
      else this.fail(error);
    }
    this.#isLoading = false;
    this.wake();
  }

  #enter(feed: SessionFeed): void {
    if (this.#isEnded) return;
    this.#feed = feed;
    feed.enter(this);
  }

  async #loadFrom(feed: SessionFeed): Promise<void> {
    const joined = feed.join(this.#position);
    if (joined) return this.#setEvents(joined.events, joined.cursor);
    if (feed.ended) return this.#endWith(feed.ended.error);
    if (this.#position > feed.position) return feed.reach(this.#position);
    const page = await feed.page(this.#position);
    if (!this.#isEnded) this.#setEvents(page, undefined);
  }

  #setEvents(events: readonly FollowedEvent[], cursor: number | undefined): void {
    this.#events = events;
    this.#nextEvent = 0;
    this.cursor = cursor;
  }

  #rejectWithFailure(error: unknown): Promise<Result> {
    this.#failure = undefined;
    return Promise.reject(error);
  }

  #endWith(error: SessionError | undefined): void {
    if (error) this.fail(error);
    else this.#end();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#setEvents([], undefined);
    this.#signal.removeEventListener("abort", this.#stop);
    this.#feed?.leave(this);
    for (const request of this.#requests.splice(0)) request.resolve(DONE);
  }
}
