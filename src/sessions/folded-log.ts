import type { DurableEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { STATE_EVENTS } from "./folded-state.ts";
import { readKept } from "./log-snapshot.ts";

/** How many events are read at a time. */
const PAGE = 500;

/** Folds an event into a state. Copies are from the session that this is a branch of. */
type Fold = (event: DurableEvent, isCopy: boolean, position: number) => void;

/**
 * Folds the events of a log that change the state, each once and in the order of the log, although they become known in another
 * order: some when they are appended here, others when they are read.
 */
export class FoldedLog {
  readonly #store: SessionStore;
  readonly #id: string;
  readonly #fold: Fold;
  /** The position up to which the events of a branch are copies. */
  copiedTo = 0;
  /** The position of the last snapshot that is known. */
  snapshotAt = 0;
  /** The position up to which the state is folded. */
  #position = 0;
  #folding: Promise<void> | undefined;

  constructor(store: SessionStore, id: string, fold: Fold) {
    this.#store = store;
    this.#id = id;
    this.#fold = fold;
  }

  get position(): number {
    return this.#position;
  }

  /** Folds the event at a position, and those before it that were not seen yet. Returns undefined if there is nothing to wait for. */
  advance(position: number, event: DurableEvent): Promise<void> | undefined {
    if (position <= this.#position) return undefined;
    if (position !== this.#position + 1 || this.#folding) return this.foldTo(position);
    this.#apply(event, position);
    return undefined;
  }

  /** Folds all events up to a position. */
  foldTo(position: number): Promise<void> {
    const before = this.#folding?.catch(() => {}) ?? Promise.resolve();
    const folding = before
      .then(() => this.#readTo(position))
      .finally(() => {
        if (this.#folding === folding) this.#folding = undefined;
      });
    this.#folding = folding;
    return folding;
  }

  async #readTo(position: number): Promise<void> {
    if (this.#position === 0 && position > 1) await this.#readSnapshot(position);
    while (this.#position < position) {
      const events = await this.#store.read(this.#id, this.#position, PAGE, STATE_EVENTS);
      for (const event of events) this.#apply(event, event.position);
      if (events.length === 0) this.#position = position;
    }
  }

  /** Goes on after the events of a snapshot, of which the others need not be read. */
  async #readSnapshot(position: number): Promise<void> {
    const kept = await readKept(this.#store, this.#id, position);
    if (!kept) return;
    for (const event of kept.events) this.#apply(event, event.position);
    this.#position = kept.position;
    this.snapshotAt = kept.position;
  }

  #apply(event: DurableEvent, position: number): void {
    this.#position = position;
    this.#fold(event, position <= this.copiedTo, position);
  }
}
