import {
  type ClientCapabilities,
  type InputRequest,
  type InputResponse,
  type LoggingLevel,
  MissingRequiredClientCapabilityError,
  type Result,
} from "@modelcontextprotocol/server";
import type { Run } from "../../calls/call.ts";
import { defined } from "../../platform/values/defined.ts";
import type { ClientProfile } from "./client-profile.ts";
import { canAnswer, isResponseTo, requiredCapabilities } from "./input-requests.ts";
import type { ClientIdentity, McpClient } from "./mcp-client.ts";
import type { RequestContext } from "./request-context.ts";

/** How a client's request is answered now: with its result, or with input that the client has to provide first. */
type RequestOutcome =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "input required"; readonly requests: Record<string, InputRequest> };

interface OpenQuestion {
  readonly request: InputRequest;
  readonly answer: (response: InputResponse) => void;
}

/**
 * One request of a client (`tools/call`, `resources/read`, `prompts/get`), from its arrival to its result.
 *
 * The handler of a request can ask the client something with `ask`. How the question travels depends on the protocol era:
 * - Up to 2025-11-25 the server sends the client a request, such as `elicitation/create`, and waits for the response.
 * - From 2026-07-28 on the server answers the client's request with an `input_required` result, and `PendingRequests` stores
 *   this object under a random token while the handler keeps waiting. The client repeats its request with the token and the
 *   answers; `resume` gives them to the handler.
 *
 * So `PendingRequests` contains `ClientRequest`s, and a `ClientRequest` has one `RequestContext` at a time.
 */
export class ClientRequest implements McpClient {
  readonly #profile: ClientProfile;
  /** Questions for `input_required` results that have no answer yet. */
  readonly #questions = new Map<string, OpenQuestion>();
  /** Answers in the current request, by key. Clients may send an answer before its question is asked. */
  #answers: Record<string, unknown> = {};
  #asked: PromiseWithResolvers<void> | undefined;
  /** The handler's result. It may reject. */
  readonly result: Promise<Result>;
  #context: RequestContext;
  #run: Run | undefined;
  /** Created on first use. */
  #controller: AbortController | undefined;
  #isAborted = false;
  /** Set when the handler asks for something that the client lacks a capability for. The request then fails with this error. */
  #missingCapability: Error | undefined;
  #isOver = false;

  constructor(profile: ClientProfile, context: RequestContext, handler: (request: ClientRequest) => Promise<Result>) {
    this.#profile = profile;
    this.#context = context;
    this.#deliver(context);
    this.result = this.#start(handler);
    // Between two requests of the client nothing awaits the result.
    if (profile.usesInputRequired) this.result.catch(() => {});
  }

  get info(): ClientIdentity | undefined {
    return this.#profile.info;
  }

  get capabilities(): ClientCapabilities {
    return this.#profile.capabilities;
  }

  /** The JSON-RPC request that is to be answered next. */
  get context(): RequestContext {
    return this.#context;
  }

  /** The tool call that runs for this request, if any. */
  get callID(): string | undefined {
    return this.#run?.callID;
  }

  abortsWith(run: Run): void {
    this.#run = run;
    if (this.#isAborted) run.abort();
  }

  /** To be called when the client has cancelled the request or closed the connection. */
  abort(): void {
    this.#isAborted = true;
    this.#run?.abort();
    this.#controller?.abort();
  }

  async log(level: LoggingLevel, data: unknown, logger?: string): Promise<void> {
    if (!this.#isOver) await this.#profile.log(this.#context, { level, data, ...defined({ logger }) });
  }

  async ask<K extends string>(
    requests: Readonly<Record<K, InputRequest>>,
    signal?: AbortSignal,
  ): Promise<Record<K, InputResponse>> {
    const entries = Object.entries<InputRequest>(requests);
    const unanswerable = entries.find(([, request]) => !canAnswer(this.capabilities, request));
    if (unanswerable) throw this.#missingCapabilityFor(unanswerable[1]);
    const repeated = entries.find(([key]) => this.#questions.has(key));
    if (repeated) throw new Error(`The client has been asked for "${repeated[0]}" already, and has not answered yet.`);
    const until = AbortSignal.any([this.#abortSignal(), ...(signal ? [signal] : [])]);
    const askOne = this.#profile.usesInputRequired ? this.#askInResult : this.#askWithRequest;
    const answers = await Promise.all(
      entries.map(async ([key, request]) => [key, await askOne.call(this, key, request, until)] as const),
    );
    return Object.fromEntries(answers) as Record<K, InputResponse>;
  }

  /** To be called when the client has repeated the request with answers. */
  resume(context: RequestContext): void {
    this.#context = context;
    this.#deliver(context);
  }

  /** Resolves with the result, or as soon as the client has to provide input. */
  async next(): Promise<RequestOutcome> {
    if (!this.#profile.usesInputRequired) return { kind: "done", result: await this.result };
    for (;;) {
      if (this.#questions.size > 0 && !this.#isOver) {
        const requests = [...this.#questions].map(([key, { request }]) => [key, request] as const);
        return { kind: "input required", requests: Object.fromEntries(requests) };
      }
      this.#asked = Promise.withResolvers();
      const result = await Promise.race([this.result, this.#asked.promise]);
      if (this.#missingCapability) throw this.#missingCapability;
      if (result) return { kind: "done", result };
    }
  }

  async #start(handler: (request: ClientRequest) => Promise<Result>): Promise<Result> {
    try {
      return await handler(this);
    } finally {
      this.#isOver = true;
    }
  }

  #abortSignal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  #askInResult(key: string, request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    const early = this.#answers[key];
    delete this.#answers[key];
    if (isResponseTo(request, early)) return Promise.resolve(early);
    return new Promise((resolve, reject) => {
      const withdraw = (): void => {
        this.#questions.delete(key);
        reject(new Error("The question was withdrawn."));
      };
      if (signal.aborted) return withdraw();
      signal.addEventListener("abort", withdraw, { once: true });
      const answer = (response: InputResponse): void => {
        signal.removeEventListener("abort", withdraw);
        resolve(response);
      };
      this.#questions.set(key, { request, answer });
      this.#asked?.resolve();
    });
  }

  async #askWithRequest(_key: string, request: InputRequest, signal: AbortSignal): Promise<InputResponse> {
    const { method, params = {} } = request;
    const options = { signal, timeout: this.#profile.askMs };
    const response = await this.#context.mcpReq.send({ method, params: { ...params } }, options);
    if (isResponseTo(request, response)) return response;
    throw new Error(`The client's response to ${method} is not valid.`);
  }

  #deliver({ mcpReq }: RequestContext): void {
    if (mcpReq.inputResponses === undefined) return;
    this.#answers = { ...mcpReq.inputResponses };
    for (const [key, { request, answer }] of [...this.#questions]) {
      const response = this.#answers[key];
      if (!isResponseTo(request, response)) continue;
      delete this.#answers[key];
      this.#questions.delete(key);
      answer(response);
    }
  }

  #missingCapabilityFor(request: InputRequest): Error {
    const required = requiredCapabilities(request);
    const names = Object.keys(required).join(", ");
    const error = new MissingRequiredClientCapabilityError(
      { requiredCapabilities: required },
      `This needs a client with the capability: ${names}. Use another client, or call the tool without it.`,
    );
    if (this.#profile.usesInputRequired) this.#missingCapability = error;
    return error;
  }
}
