import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Peer } from "./client-profile.ts";
import { Exchange } from "./exchange.ts";

interface Parked {
  readonly exchange: Exchange;
  /** What was asked for: only the same request can go on with it. */
  readonly about: string;
  readonly owner: object;
  readonly timer: NodeJS.Timeout;
}

/** Requests that may wait at once; beyond this the oldest is given up. */
const MOST = 1_000;

/**
 * Requests that wait for a client to come back with answers. What the client holds meanwhile is a word that nobody can
 * guess, and that holds once.
 */
export class Rounds {
  readonly #parked = new Map<string, Parked>();

  /** Serves one round of a request: begins the work, or goes on with it. `about` says what is asked for, `owner` is its connection. */
  async serve(
    { context, about, owner, peer }: { context: ServerContext; about: string; owner: object; peer: Peer },
    work: (exchange: Exchange) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const state: unknown = context.mcpReq.requestState();
    const exchange = state === undefined ? new Exchange(peer, context, work) : this.#take(state, about);
    if (state !== undefined) exchange.resume(context);
    const { signal } = context.mcpReq;
    const cancel = (): void => exchange.abort();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const outcome = await exchange.next();
      if (outcome.kind === "done") return outcome.result;
      const requestState = this.#park(exchange, about, owner, peer.askMs);
      return { resultType: "input_required", inputRequests: outcome.requests, requestState };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** A connection is gone: nobody will come back. Without one, all are. */
  drop(owner?: object): void {
    for (const [word, parked] of [...this.#parked]) {
      if (owner === undefined || parked.owner === owner) this.#end(word, parked);
    }
  }

  #park(exchange: Exchange, about: string, owner: object, askMs: number): string {
    const word = crypto.randomUUID();
    const timer = setTimeout(() => this.#end(word, parked), askMs);
    timer.unref();
    const parked: Parked = { exchange, about, owner, timer };
    this.#parked.set(word, parked);
    const [oldest] = this.#parked;
    if (this.#parked.size > MOST && oldest) this.#end(...oldest);
    return word;
  }

  #take(state: unknown, about: string): Exchange {
    const word = String(state);
    const parked = this.#parked.get(word);
    if (parked?.about !== about) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
        reason: "invalid_request_state",
      });
    }
    clearTimeout(parked.timer);
    this.#parked.delete(word);
    return parked.exchange;
  }

  #end(word: string, { exchange, timer }: Parked): void {
    clearTimeout(timer);
    this.#parked.delete(word);
    exchange.abort();
  }
}
