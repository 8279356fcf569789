import {
  type ClientCapabilities,
  type InputRequest,
  type InputResponse,
  type LoggingLevel,
  MissingRequiredClientCapabilityError,
  type Result,
} from "@modelcontextprotocol/server";
import type { Run } from "../pipeline/call.ts";
import type { Peer } from "./client-profile.ts";
import { canAnswer, fits, needed } from "./input-kinds.ts";
import type { ClientIdentity, McpClient } from "./mcp-client.ts";
import type { Round } from "./round.ts";

/** What a round of an exchange comes to. */
export type Outcome =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "asks"; readonly requests: Record<string, InputRequest> };

interface Open {
  readonly request: InputRequest;
  readonly answer: (response: InputResponse) => void;
}

/**
 * One request of a client, from its beginning to its result. Where questions are put by results it takes several
 * rounds: the work goes on, and waits, between them.
 */
export class Exchange implements McpClient {
  readonly #peer: Peer;
  /** Where questions are put by results: those that are open, and what was answered before it was asked. */
  readonly #open = new Map<string, Open>();
  #given: Record<string, unknown> = {};
  #asked: PromiseWithResolvers<void> | undefined;
  /** How the work ends. Nobody need listen. */
  readonly work: Promise<Result>;
  #round: Round;
  #run: Run | undefined;
  /** Made when somebody has something to wait for. */
  #controller: AbortController | undefined;
  #isAborted = false;
  /** Set when the work needs what the client has not said it can do: the request fails with this, whatever comes of the work. */
  #missing: Error | undefined;
  #isOver = false;

  constructor(peer: Peer, round: Round, work: (exchange: Exchange) => Promise<Result>) {
    this.#peer = peer;
    this.#round = round;
    this.#deliver(round);
    this.work = this.#watch(work);
    // Between two rounds nobody listens.
    if (peer.asksByResult) this.work.catch(() => {});
  }

  get info(): ClientIdentity | undefined {
    return this.#peer.info;
  }

  get capabilities(): ClientCapabilities {
    return this.#peer.capabilities;
  }

  /** The request that waits for an answer now. */
  get round(): Round {
    return this.#round;
  }

  /** The call that is made for it, once there is one. */
  get callID(): string | undefined {
    return this.#run?.callID;
  }

  /** Stops that call as soon as nobody waits for it any more. */
  stops(run: Run): void {
    this.#run = run;
    if (this.#isAborted) run.abort();
  }

  /** The client has cancelled the request, or is gone. */
  abort(): void {
    this.#isAborted = true;
    this.#run?.abort();
    this.#controller?.abort();
  }

  async log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    if (!this.#isOver) await this.#peer.log(this.#round, level, data, logger);
  }

  async ask<K extends string>(
    requests: Readonly<Record<K, InputRequest>>,
    signal?: AbortSignal,
  ): Promise<Record<K, InputResponse>> {
    const entries = Object.entries<InputRequest>(requests);
    const unable = entries.find(([, request]) => !canAnswer(this.capabilities, request));
    if (unable) throw this.#unable(unable[1]);
    const twice = entries.find(([key]) => this.#open.has(key));
    if (twice) throw new Error(`The client has been asked for "${twice[0]}" already, and has not answered yet.`);
    const until = AbortSignal.any([this.#aborted(), ...(signal ? [signal] : [])]);
    const put = this.#peer.asksByResult ? this.#putByResult : this.#send;
    const answers = await Promise.all(
      entries.map(async ([key, request]) => [key, await put.call(this, key, request, until)] as const),
    );
    return Object.fromEntries(answers) as Record<K, InputResponse>;
  }

  /** The client has come back with answers. */
  resume(round: Round): void {
    this.#round = round;
    this.#deliver(round);
  }

  /** Waits for the end of the work, or for a question that only the client can answer. */
  async next(): Promise<Outcome> {
    if (!this.#peer.asksByResult) return { kind: "done", result: await this.work };
    for (;;) {
      if (this.#open.size > 0 && !this.#isOver) {
        const requests = [...this.#open].map(([key, { request }]) => [key, request] as const);
        return { kind: "asks", requests: Object.fromEntries(requests) };
      }
      this.#asked = Promise.withResolvers();
      const result = await Promise.race([this.work, this.#asked.promise]);
      if (this.#missing) throw this.#missing;
      if (result) return { kind: "done", result };
    }
  }

  async #watch(work: (exchange: Exchange) => Promise<Result>): Promise<Result> {
    try {
      return await work(this);
    } finally {
      this.#isOver = true;
    }
  }

  #aborted(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  #putByResult(key: string, request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    const early = this.#given[key];
    delete this.#given[key];
    if (fits(request, early)) return Promise.resolve(early);
    return new Promise((resolve, reject) => {
      const give = (): void => {
        this.#open.delete(key);
        reject(new Error("The question was withdrawn."));
      };
      if (signal.aborted) return give();
      signal.addEventListener("abort", give, { once: true });
      const answer = (response: InputResponse): void => {
        signal.removeEventListener("abort", give);
        resolve(response);
      };
      this.#open.set(key, { request, answer });
      this.#asked?.resolve();
    });
  }

  async #send(_key: string, request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    const { method, params = {} } = request;
    const options = { signal, timeout: this.#peer.askMs };
    const response = await this.#round.mcpReq.send({ method, params: { ...params } }, options);
    if (fits(request, response)) return response;
    throw new Error(`The client's answer to ${method} is not one.`);
  }

  #deliver({ mcpReq }: Round): void {
    if (mcpReq.inputResponses === undefined) return;
    this.#given = { ...mcpReq.inputResponses };
    for (const [key, { request, answer }] of [...this.#open]) {
      const response = this.#given[key];
      if (!fits(request, response)) continue;
      delete this.#given[key];
      this.#open.delete(key);
      answer(response);
    }
  }

  #unable(request: InputRequest): Error {
    const requiredCapabilities = needed(request);
    const names = Object.keys(requiredCapabilities).join(", ");
    const error = new MissingRequiredClientCapabilityError(
      { requiredCapabilities },
      `This needs a client that can be asked for it: ${names}. Use another client, or call the tool without it.`,
    );
    if (this.#peer.asksByResult) this.#missing = error;
    return error;
  }
}
