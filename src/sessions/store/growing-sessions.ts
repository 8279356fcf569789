/** The sessions to which events are being added, and the size of these events. */
export class GrowingSessions {
  readonly #counts = new Map<string, number>();
  #bytes = 0;

  /** The size of the events of all of them. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#counts.size;
  }

  has(sessionID: string): boolean {
    return this.#counts.has(sessionID);
  }

  add(sessionID: string, bytes: number): void {
    this.#bytes += bytes;
    this.#counts.set(sessionID, (this.#counts.get(sessionID) ?? 0) + 1);
  }

  remove(sessionID: string, bytes: number): void {
    this.#bytes -= bytes;
    const count = (this.#counts.get(sessionID) ?? 0) - 1;
    if (count > 0) this.#counts.set(sessionID, count);
    else this.#counts.delete(sessionID);
  }
}
