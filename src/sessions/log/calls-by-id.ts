/**
 * What is known of the calls of a session, by call id. Ids may repeat: some agents count their calls from 1 in each turn. An end
 * belongs to the oldest open call with its id, everything else to the last call with its id.
 */
export class CallsByID<T> {
  readonly #last = new Map<string, T>();
  readonly #open = new Map<string, T[]>();

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  start(callID: string, call: T): void {
    this.#last.set(callID, call);
    this.#open.set(callID, [...(this.#open.get(callID) ?? []), call]);
  }

  /** The last call with this id, open or not. */
  last(callID: string): T | undefined {
    return this.#last.get(callID);
  }

  /** Ends a call. Undefined if none with this id is open. */
  end(callID: string): T | undefined {
    const [ended, ...open] = this.#open.get(callID) ?? [];
    if (open.length > 0) this.#open.set(callID, open);
    else this.#open.delete(callID);
    return ended;
  }

  endAll(callID: string): readonly T[] {
    const ended = this.#open.get(callID) ?? [];
    this.#open.delete(callID);
    return ended;
  }
}
