import { Listeners } from "../platform/values/listeners.ts";

/** The place of a turn in the queue, counted from 1; 0 when it begins. */
export interface QueuePlace {
  readonly sessionID: string;
  readonly position: number;
}

interface RunningTurn {
  /** For how many questions it waits. */
  pauses: number;
}

interface WaitingTurn {
  readonly sessionID: string;
  readonly begin: () => void;
}

/**
 * Limits the number of turns that run at the same time. The others wait in the order in which they came. A turn that waits for a
 * person does not count: when it goes on, it does so at once, also if others have taken its place.
 */
export class TurnSlots {
  readonly #max: () => number;
  readonly #waiting: WaitingTurn[] = [];
  readonly #places = new Listeners<QueuePlace>();
  readonly #running = new Map<string, RunningTurn>();

  /** `max` is read when a turn begins or ends. */
  constructor(max: () => number) {
    this.#max = max;
  }

  /** The sessions whose turns wait, the next one first. */
  get waiting(): readonly string[] {
    return this.#waiting.map(({ sessionID }) => sessionID);
  }

  /** Called with the place of each waiting turn whenever it changes. */
  onChange(listener: (place: QueuePlace) => void): () => void {
    return this.#places.listen(listener);
  }

  /** Runs the work when a slot is free. Resolves to undefined, without running it, if the signal fires before. */
  async run<T>(sessionID: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#waiting.length > 0 || !this.#hasFree()) {
      if (!(await this.#wait(sessionID, signal))) return undefined;
    } else this.#running.set(sessionID, { pauses: 0 });
    try {
      return await work();
    } finally {
      this.#running.delete(sessionID);
      this.#beginNext();
    }
  }

  /** A turn of the session, if one runs, waits for a person until the returned function is called. */
  pause(sessionID: string): () => void {
    const turn = this.#running.get(sessionID);
    if (!turn) return () => {};
    turn.pauses += 1;
    this.#beginNext();
    return () => {
      turn.pauses -= 1;
    };
  }

  #hasFree(): boolean {
    let working = 0;
    for (const { pauses } of this.#running.values()) if (pauses === 0) working += 1;
    return working < this.#max();
  }

  /** Resolves to false if the signal fires first. */
  #wait(sessionID: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = (): void => {
      const index = this.#waiting.indexOf(turn);
      this.#waiting.splice(index, 1);
      this.#announce(index);
      resolve(false);
    };
    const begin = (): void => {
      signal.removeEventListener("abort", leave);
      resolve(true);
    };
    const turn = { sessionID, begin };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.push(turn);
    this.#announce(this.#waiting.length - 1);
    return promise;
  }

  #beginNext(): void {
    while (this.#hasFree()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running.set(next.sessionID, { pauses: 0 });
      next.begin();
      this.#places.emit({ sessionID: next.sessionID, position: 0 });
      this.#announce(0);
    }
  }

  /** Announces the places from an index on. */
  #announce(from: number): void {
    for (let index = from; index < this.#waiting.length; index += 1) {
      const { sessionID } = this.#waiting[index] as WaitingTurn;
      this.#places.emit({ sessionID, position: index + 1 });
    }
  }
}
