import type { Update } from "../../core/events.ts";
import type { InnerCallOptions } from "../../core/tool.ts";
import type { CallPort } from "../protocol/hosts.ts";
import {
  abortError,
  type FromHost,
  type HostRequest,
  type HostResponse,
  type UiRequest,
} from "../protocol/messages.ts";

/** Sends the reports and requests of running calls to the serving process. */
export interface CallLink {
  send(message: FromHost): void;
  request(id: number, request: HostRequest, options?: InnerCallOptions): Promise<HostResponse>;
  ui(request: UiRequest, id: number): Promise<unknown>;
}

/** A call in a host, from the moment it is received: an abort may come before its start. */
export class HostedCall implements CallPort {
  readonly id: number;
  /** Whether the tool may have run. */
  hasStarted = false;
  readonly #link: CallLink;
  readonly #controller = new AbortController();

  constructor(id: number, link: CallLink) {
    this.id = id;
    this.#link = link;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: "aborted" | "timeout"): void {
    this.#controller.abort(abortError(reason));
  }

  update(update: Update): void {
    this.#link.send({ type: "update", id: this.id, update });
  }

  request(request: HostRequest, options?: InnerCallOptions): Promise<HostResponse> {
    return this.#link.request(this.id, request, options);
  }

  ui(request: UiRequest): Promise<unknown> {
    return this.#link.ui(request, this.id);
  }
}
