import type { FollowedEvent } from "../../core/session-log.ts";

/** The maximum number of events that are kept for slow readers, and their size. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 8_000_000;
/** The array is copied only after so many entries were removed at its front. */
const MOVE_AFTER = 1_000;

interface Entry {
  event: FollowedEvent;
  bytes: number;
}

/** The newest events of a session. Each has an index; indexes go up by one, and are never used again. */
export class EventRing {
  #entries: (Entry | undefined)[] = [];
  /** The number of removed entries that are still in the array. */
  #removed = 0;
  #bytes = 0;
  /** The index of the first entry. */
  start = 0;

  /** The index of the next entry. */
  get end(): number {
    return this.start + this.#entries.length - this.#removed;
  }

  at(index: number): FollowedEvent | undefined {
    return index < this.start ? undefined : this.#entries[this.#removed + index - this.start]?.event;
  }

  /** Adds events. Then removes old ones until the limits are met, but none from the index `keepFrom` on. */
  push(events: readonly FollowedEvent[], keepFrom: number): void {
    for (const event of events) {
      const bytes = estimateBytes(event);
      this.#entries.push({ event, bytes });
      this.#bytes += bytes;
    }
    while ((this.end - this.start > MAX_ENTRIES || this.#bytes > MAX_BYTES) && this.start < keepFrom)
      this.#removeFirst();
  }

  /** Replaces the newest event by a longer one. */
  replaceLast(event: FollowedEvent): void {
    const last = this.#entries.at(-1);
    if (last === undefined) return;
    const bytes = estimateBytes(event);
    this.#bytes += bytes - last.bytes;
    last.event = event;
    last.bytes = bytes;
  }

  clear(): void {
    this.start = this.end;
    this.#entries = [];
    this.#removed = 0;
    this.#bytes = 0;
  }

  #removeFirst(): void {
    this.#bytes -= this.#entries[this.#removed]?.bytes ?? 0;
    this.#entries[this.#removed] = undefined;
    this.#removed += 1;
    this.start += 1;
    if (this.#removed < MOVE_AFTER) return;
    this.#entries = this.#entries.slice(this.#removed);
    this.#removed = 0;
  }
}

/** About the memory of an event: its text, and some bytes for each value. */
function estimateBytes(event: FollowedEvent): number {
  let bytes = 0;
  const values: unknown[] = [event];
  while (values.length > 0) {
    const value = values.pop();
    bytes += 16;
    if (typeof value === "string") bytes += value.length;
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) values.push(inner);
  }
  return bytes;
}
