import type { ApiSessionEvent } from "../../../src/core/api-sessions.ts";
import { SessionView } from "../../../src/sessions/log/session-view.ts";
import { type FollowOptions, RequestRefused } from "../../../src/surfaces/http/client/index.ts";

/** The connection of a transcript to its session. */
type FeedState =
  | { readonly kind: "loading" }
  | { readonly kind: "live" }
  /** The stream broke. It is opened again after the last event. */
  | { readonly kind: "reconnecting" }
  /** The server refuses the stream, such as for a session that does not exist. */
  | { readonly kind: "refused"; readonly error: RequestRefused };

/** Opens the events of the session: `events` of the client. */
export type OpenEvents = (options: FollowOptions & { readonly after: number }) => AsyncIterable<ApiSessionEvent>;

/** Work in one frame, in milliseconds. The rest of 16 ms is for drawing and for keys. */
const FRAME_BUDGET = 4;
/** A longer pause between two events was spent waiting for the server, not working. */
const IDLE_GAP = 8;
/** The stored events have arrived if nothing follows for this time. */
const QUIET_MS = 150;
const LOADING_MS = 100;

/** The transcript of one session, kept up to date. Listeners are called at most once a frame. */
export class SessionFeed {
  readonly transcript: SessionView = new SessionView();
  readonly #open: OpenEvents;
  readonly #nextFrame: () => Promise<void>;
  readonly #listeners = new Set<() => void>();
  #state: FeedState = { kind: "loading" };
  #version = 0;
  #isScheduled = false;
  #busy = 0;

  /** `nextFrame` waits until the browser has drawn. */
  constructor(open: OpenEvents, nextFrame: () => Promise<void> = nextAnimationFrame) {
    this.#open = open;
    this.#nextFrame = nextFrame;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Changes whenever the transcript or the state has changed. */
  readonly version = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Follows the session after the last stored event, until the signal aborts or the server refuses. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      await this.#read(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RequestRefused)) throw error;
      this.#show({ kind: "refused", error });
    }
  }

  /** The page is not connected for now. */
  disconnected(): void {
    if (this.#state.kind === "live") this.#show({ kind: "reconnecting" });
  }

  async #read(signal: AbortSignal): Promise<void> {
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const awaitQuiet = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(() => this.#show({ kind: "live" }), QUIET_MS);
    };
    const onConnection = (state: "open" | "lost"): void => {
      if (state === "open") return awaitQuiet();
      clearTimeout(quiet);
      this.#show({ kind: "reconnecting" });
    };
    let before = performance.now();
    try {
      const after = this.transcript.position;
      for await (const event of this.#open({ after, signal, untilReached: true, onConnection })) {
        if (signal.aborted) return;
        // Live events follow the stored ones.
        if (event.id === undefined) this.#show({ kind: "live" });
        else if (this.#state.kind !== "live") awaitQuiet();
        const gap = performance.now() - before;
        if (this.transcript.apply(event)) this.#schedule();
        before = performance.now();
        this.#busy += gap > IDLE_GAP ? 0 : gap;
        if (this.#busy < FRAME_BUDGET) continue;
        await this.#nextFrame();
        this.#busy = 0;
        before = performance.now();
      }
    } finally {
      clearTimeout(quiet);
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // While a long session is loaded, only its progress is shown.
    const due = this.#state.kind === "loading" ? delay(LOADING_MS) : this.#nextFrame();
    void due.then(() => this.#publish());
  }

  #publish(): void {
    this.#isScheduled = false;
    this.#busy = 0;
    this.#version += 1;
    for (const listener of [...this.#listeners]) listener();
  }

  #show(state: FeedState): void {
    if (state.kind === this.#state.kind) return;
    this.#state = state;
    this.#publish();
  }
}

/** A hidden tab draws no frames. */
function nextAnimationFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, 100);
    const frame = requestAnimationFrame(done);
    function done(): void {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      resolve();
    }
  });
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
