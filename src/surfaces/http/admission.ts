import type { ServerResponse } from "node:http";
import type { HttpLimits } from "./limits.ts";
import type { Refusal } from "./refusal.ts";

/** How many times its rate of a second may come at once. */
const BURST = 10;

/** Decides whether there is room for one more call. */
export class Admission {
  readonly #most: number;
  readonly #perSecond: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #left: number;
  #at: number = performance.now();

  constructor({ calls, callsPerSecond }: Pick<HttpLimits, "calls" | "callsPerSecond">) {
    this.#most = calls;
    this.#perSecond = callsPerSecond;
    this.#left = callsPerSecond * BURST;
  }

  /** Takes a place until the answer has been sent or its reader is gone, or says why there is none. */
  admit(outgoing: ServerResponse): Refusal | undefined {
    if (this.#running >= this.#most) {
      const message = `${this.#most} calls are running, as many as may at one time. Try again when one has ended.`;
      return { code: "busy", message, headers: { "retry-after": "1" } };
    }
    if (!this.#isInTime()) {
      const message = `More than ${this.#perSecond} calls came in a second. Send them more slowly.`;
      return { code: "too_many_requests", message, headers: { "retry-after": "1" } };
    }
    this.#running += 1;
    outgoing.once("close", () => this.#leave());
    return undefined;
  }

  /** How many there are now. */
  get running(): number {
    return this.#running;
  }

  /** Settles when nothing is running. */
  async idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #isInTime(): boolean {
    const now = performance.now();
    const gained = ((now - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#left + gained, this.#perSecond * BURST);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  #leave(): void {
    this.#running -= 1;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
