import type { Update } from "../core/events.ts";
import type { CallPort } from "../protocol/hosts.ts";
import {
  abortError,
  type FromHost,
  type HostRequest,
  type HostResponse,
  type UiRequest,
} from "../protocol/messages.ts";

/** How what running calls need is asked for and comes back. */
export interface Asking {
  send(message: FromHost): void;
  need(id: number, what: HostRequest): Promise<HostResponse>;
  ui(request: UiRequest, id: number): Promise<unknown>;
}

/** A call in a host, from the moment it is known: a cancel may come before it has begun. */
export class HostedCall implements CallPort {
  readonly id: number;
  /** Whether its tool may have run. */
  hasBegun = false;
  readonly #asking: Asking;
  readonly #controller = new AbortController();

  constructor(id: number, asking: Asking) {
    this.id = id;
    this.#asking = asking;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: "aborted" | "timeout"): void {
    this.#controller.abort(abortError(reason));
  }

  update(update: Update): void {
    this.#asking.send({ type: "update", id: this.id, update });
  }

  request(what: HostRequest): Promise<HostResponse> {
    return this.#asking.need(this.id, what);
  }

  ui(request: UiRequest): Promise<unknown> {
    return this.#asking.ui(request, this.id);
  }
}
