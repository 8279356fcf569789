import { databaseFull } from "./session-checks.ts";
import type { SessionLimits } from "./session-limits.ts";

/** When the database has reached its limit, sessions are removed until it has this part of it: not again with the next event. */
const AFTER_REMOVAL = 0.9;
/** Events that would make the database larger than this part of its limit are refused. */
const REFUSED = 1.1;

/** Holds the limit of the database while sessions grow. */
export class StoreRoom {
  readonly growing: GrowingSessions = new GrowingSessions();
  readonly #limits: SessionLimits;
  readonly #maxMb: number;
  readonly #removeWhile: (isTooLarge: () => boolean) => Promise<void>;
  /** Stored since the size of the database was looked at. */
  #uncheckedBytes = 0;
  /** Whether the database is larger than its limit, although all sessions were removed that may be. */
  #isCrowded = false;
  #making: Promise<void> | undefined;

  /** `removeWhile` removes the oldest sessions, but none that is growing. */
  constructor(limits: SessionLimits, maxMb: number, removeWhile: (isTooLarge: () => boolean) => Promise<void>) {
    this.#limits = limits;
    this.#maxMb = maxMb;
    this.#removeWhile = removeWhile;
  }

  /**
   * Stores events of so many bytes, after old sessions were removed if the database would exceed its limit. Events that come
   * meanwhile wait too, so that they keep their order. Rejects with "store_full" if nothing more can be removed.
   */
  async store<T>(sessionID: string, bytes: number, store: () => Promise<T>): Promise<T> {
    this.growing.add(sessionID, bytes);
    try {
      const room = this.#make(bytes);
      if (room) await room;
      if (this.#mustRefuse(bytes)) throw databaseFull(this.#maxMb);
      return await store();
    } finally {
      this.growing.remove(sessionID, bytes);
    }
  }

  #make(bytes: number): Promise<void> | undefined {
    this.#uncheckedBytes += bytes;
    if (this.#making) return this.#making;
    if (!this.#limits.isUnchecked(this.#uncheckedBytes) && !this.#mustRefuse(bytes)) return undefined;
    this.#uncheckedBytes = this.growing.bytes;
    this.#isCrowded = !this.#limits.hasRoom(this.growing.bytes);
    if (!this.#isCrowded) return undefined;
    const making = this.#removeOldest();
    this.#making = making;
    void making.then(() => {
      this.#making = undefined;
    });
    return making;
  }

  #mustRefuse(bytes: number): boolean {
    return this.#isCrowded && bytes > 0 && !this.#limits.hasRoom(this.growing.bytes, REFUSED);
  }

  /** Never rejects: the events are stored if they fit nevertheless. */
  async #removeOldest(): Promise<void> {
    await this.#removeWhile(() => !this.#limits.hasRoom(this.growing.bytes, AFTER_REMOVAL)).catch(() => {});
    this.#isCrowded = !this.#limits.hasRoom(this.growing.bytes);
  }
}

/** The sessions to which events are being added, and the size of these events. */
class GrowingSessions {
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
