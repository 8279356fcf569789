import type { ServerResponse } from "node:http";
import type { ErrorResponse } from "../parts/error-response.ts";
import type { HttpLimits } from "./http-limits.ts";

/** A burst may have this many times the calls of a second. */
const BURST = 10;

/** Not sent: the client has closed the connection. */
const CLOSED: ErrorResponse = { code: "bad_request", message: "The connection was closed before the request began." };

/** Limits concurrent calls, and calls per second with a token bucket. */
export class CallLimiter {
  readonly #maxCalls: number;
  readonly #perSecond: number;
  readonly #idleListeners = new Set<() => void>();
  #running = 0;
  #tokens: number;
  #refilledAt: number = performance.now();

  constructor({ calls, callsPerSecond }: Pick<HttpLimits, "calls" | "callsPerSecond">) {
    this.#maxCalls = calls;
    this.#perSecond = callsPerSecond;
    this.#tokens = callsPerSecond * BURST;
  }

  /** Counts a call until its response is closed. Returns an error if the call must not start. */
  admit(outgoing: ServerResponse): ErrorResponse | undefined {
    if (this.#running >= this.#maxCalls) {
      const message = `${this.#maxCalls} calls are running, which is the limit. Try again when one has ended.`;
      return { code: "busy", message, headers: { "retry-after": "1" } };
    }
    const refusal = this.countRequest();
    if (refusal) return refusal;
    // There will be no event "close".
    if (outgoing.destroyed) return CLOSED;
    this.#running += 1;
    outgoing.once("close", () => this.#release());
    return undefined;
  }

  /** Counts a request that is not limited in number, but in its rate. Returns an error if it comes too soon. */
  countRequest(): ErrorResponse | undefined {
    if (this.#takeToken()) return undefined;
    const message = `More than ${this.#perSecond} calls arrived in one second. Send them more slowly.`;
    return { code: "too_many_requests", message, headers: { "retry-after": "1" } };
  }

  get running(): number {
    return this.#running;
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    while (this.#running > 0) await new Promise<void>((resolve) => this.#idleListeners.add(resolve));
  }

  #takeToken(): boolean {
    const now = performance.now();
    const gained = ((now - this.#refilledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#tokens + gained, this.#perSecond * BURST);
    this.#refilledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #release(): void {
    this.#running -= 1;
    for (const listener of this.#idleListeners) listener();
    this.#idleListeners.clear();
  }
}
