import { messageOf } from "../../core/error.ts";
import type { Update } from "../../core/events.ts";
import type { InnerCallOptions } from "../../core/tool.ts";
import type { CallPort } from "../../host/protocol/hosts.ts";
import { isTimeout, type Outcome, type RunPort } from "../../host/protocol/hosts.ts";
import {
  type FromHost,
  type HostCall,
  type HostResponse,
  monotonic,
  type ToHost,
} from "../../host/protocol/messages.ts";
import { InvalidMessage } from "../../host/protocol/validate-message.ts";
import type { HostEnd } from "./channel.ts";
import { UNSENDABLE } from "./running-queries.ts";

interface RunningCall {
  readonly call: HostCall;
  readonly port: RunPort;
  readonly settle: (outcome: Outcome) => void;
  readonly startBy: number | undefined;
  /** Whether the host has reported the start, or was idle when the call was sent. */
  started: boolean;
}

/** The host of running calls. */
interface CallHost {
  send(message: ToHost): void;
  /** A call was aborted and has not stopped: the process must end. */
  unresponsive(tool: string): void;
  /** A tool calls the user interface outside a call. Must not reject. */
  ui: CallPort["ui"];
  /** A call has ended, and is no longer in `RunningCalls`. */
  settled(): void;
}

/** The time between the last moment at which a host may start a call and the first at which another host gets it. */
const MARGIN_MS = 100;
const START_WITHIN_MS = 400;
const GRACE_MS = 1_000;
/** How many recent calls are remembered: the output of a call may be read after its result. */
const RECENT = 64;
const HAS_STARTED = '"not-started": the call had no "startBy", so it must have been started';

/** The calls of one host, from the moment they are sent until they are settled. */
export class RunningCalls {
  readonly #host: CallHost;
  readonly #calls = new Map<number, RunningCall>();
  /** The most recent calls, by id modulo 64. */
  readonly #recent: { readonly id: number; readonly context: HostCall["context"] }[] = [];
  /** The open requests that the host can cancel, by id. */
  readonly #cancellable = new Map<number, AbortController>();
  #ids = 0;

  constructor(host: CallHost) {
    this.#host = host;
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  includes(file: string): boolean {
    return [...this.#calls.values()].some(({ call }) => call.file === file);
  }

  /** The context of a call, also shortly after its end, for output that is read late. */
  contextOf(id: number): HostCall["context"] | undefined {
    const recent = this.#recent[id % RECENT];
    return this.#calls.get(id)?.call.context ?? (recent?.id === id ? recent.context : undefined);
  }

  /** Never rejects. `startsAtOnce`: the host is idle, so the call needs no `startBy`. */
  run(call: HostCall, port: RunPort, signal: AbortSignal, startsAtOnce: boolean): Promise<Outcome> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#ids += 1;
    const id = this.#ids;
    const startBy = startsAtOnce ? undefined : monotonic() + START_WITHIN_MS;
    const onAbort = (): void => this.#stop(id, signal);
    const settle = (outcome: Outcome): void => {
      signal.removeEventListener("abort", onAbort);
      this.#calls.delete(id);
      this.#host.settled();
      resolve(outcome);
    };
    this.#calls.set(id, { call, port, settle, startBy, started: startsAtOnce });
    this.#recent[id % RECENT] = { id, context: call.context };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#host.send({ type: "call", id, call, ...(startBy === undefined ? {} : { startBy }) });
    } catch {
      const result = { ok: false, code: "invalid_input", message: "", issues: [UNSENDABLE], content: [] } as const;
      settle({ kind: "result", result });
    }
    if (startsAtOnce) port.started();
    return promise;
  }

  /** Refuses requests of calls that have ended, and ignores their other messages. Throws `InvalidMessage` for a call that was never sent. */
  receive(
    message: FromHost & {
      type: "started" | "not-started" | "update" | "result" | "request" | "cancel-request" | "ui-request";
    },
  ): void {
    const { type, id = 0 } = message;
    if (id > this.#ids) throw new InvalidMessage(`"${type}": no such call`);
    const running = this.#calls.get(id);
    switch (message.type) {
      case "started":
        if (!running) break;
        running.started = true;
        running.port.started();
        break;
      case "not-started":
        if (running && running.startBy === undefined) throw new InvalidMessage(HAS_STARTED);
        running?.settle({ kind: "not-started" });
        break;
      case "update":
        running?.port.update(message.update);
        break;
      case "result":
        running?.settle({ kind: "result", result: message.result });
        break;
      case "request":
        if (running) void this.#respond(message, running.port);
        else this.#host.send({ type: "response", requestID: message.requestID, response: CALL_ENDED });
        break;
      case "cancel-request":
        this.#cancellable.get(message.requestID)?.abort();
        break;
      case "ui-request":
        void this.#ui(message, running?.port ?? this.#host);
    }
  }

  /** Settles the calls that the host cannot have started and will not start: another host may run them. */
  handBack(): void {
    const now = monotonic();
    for (const running of [...this.#calls.values()]) {
      if (!running.started && now > (running.startBy ?? now) + MARGIN_MS) running.settle({ kind: "not-started" });
    }
  }

  /** If the host could not report which calls it had started, each call that was sent counts as started, and is not run again. */
  ended(end: HostEnd, cameUp: boolean): void {
    const started = end.started && new Set(end.started);
    for (const [id, running] of [...this.#calls]) {
      const isUnstarted = started ? !started.has(id) : !cameUp;
      running.settle(isUnstarted ? { kind: "not-started" } : { kind: "died", reason: end.reason });
    }
  }

  #stop(id: number, signal: AbortSignal): void {
    this.#host.send({ type: "abort", id, reason: isTimeout(signal) ? "timeout" : "aborted" });
    const judge = (): void => {
      const running = this.#calls.get(id);
      if (!running) return;
      running.settle({ kind: "unresponsive" });
      this.#host.unresponsive(running.call.tool);
    };
    // On a busy machine the result may have arrived without having been read.
    setTimeout(() => setImmediate(judge), GRACE_MS).unref();
  }

  /** Must not reject. A response that cannot be sent becomes undefined. */
  async #ui({ requestID, request }: FromHost & { type: "ui-request" }, port: Pick<CallPort, "ui">): Promise<void> {
    const value = await port.ui(request);
    try {
      this.#host.send({ type: "ui-response", requestID, value });
    } catch {
      this.#host.send({ type: "ui-response", requestID, value: undefined });
    }
  }

  /** Lets the host follow and cancel the call of a built-in tool. */
  #follow(requestID: number): InnerCallOptions {
    const controller = new AbortController();
    this.#cancellable.set(requestID, controller);
    const onUpdate = (update: Update): void => this.#host.send({ type: "request-update", requestID, update });
    return { signal: controller.signal, onUpdate };
  }

  /** Must not reject: nothing catches it. Every error becomes a failed response. */
  async #respond({ requestID, request }: FromHost & { type: "request" }, port: CallPort): Promise<void> {
    const options = request.kind === "call" ? this.#follow(requestID) : undefined;
    const response: HostResponse = await port
      .request(request, options)
      .catch((error: unknown) => failed(messageOf(error)));
    this.#cancellable.delete(requestID);
    try {
      this.#host.send({ type: "response", requestID, response });
    } catch {
      this.#host.send({ type: "response", requestID, response: failed(`The response ${UNSENDABLE.message}`) });
    }
  }
}

const CALL_ENDED: HostResponse = {
  ok: false,
  code: "aborted",
  message: "The call has ended. Await this before the tool returns.",
};

function failed(message: string): HostResponse {
  return { ok: false, code: "failed", message };
}
