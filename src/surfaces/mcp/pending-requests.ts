import {
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { ClientProfile } from "./client-profile.ts";
import { ClientRequest } from "./client-request.ts";

interface Pending {
  readonly request: ClientRequest;
  /** Method and target of the request, as in `tool read`: only a request for the same target can resume it. */
  readonly target: string;
  readonly connection: object;
  readonly timer: NodeJS.Timeout;
}

/** The maximum number of pending requests. One more aborts the oldest. */
const MAX_PENDING = 1_000;

/**
 * Requests that were answered with `input_required` and wait for the client to repeat them with the input. The client holds
 * a random token (`requestState`), which is valid once.
 */
export class PendingRequests {
  readonly #pending = new Map<string, Pending>();

  /** Answers a request of a client: starts its handler, or resumes the pending request that its token names. */
  async serve(
    {
      context,
      target,
      connection,
      profile,
    }: { context: ServerContext; target: string; connection: object; profile: ClientProfile },
    handler: (request: ClientRequest) => Promise<Result>,
  ): Promise<Result | InputRequiredResult> {
    const token: unknown = context.mcpReq.requestState();
    const request = token === undefined ? new ClientRequest(profile, context, handler) : this.#take(token, target);
    if (token !== undefined) request.resume(context);
    const { signal } = context.mcpReq;
    const cancel = (): void => request.abort();
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const outcome = await request.next();
      if (outcome.kind === "done") return outcome.result;
      const requestState = this.#add(request, target, connection, profile.askMs);
      return { resultType: "input_required", inputRequests: outcome.requests, requestState };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Aborts the pending requests of a connection, or all. */
  abort(connection?: object): void {
    for (const [token, pending] of [...this.#pending]) {
      if (connection === undefined || pending.connection === connection) this.#abortOne(token, pending);
    }
  }

  #add(request: ClientRequest, target: string, connection: object, askMs: number): string {
    const token = crypto.randomUUID();
    const timer = setTimeout(() => this.#abortOne(token, pending), askMs);
    timer.unref();
    const pending: Pending = { request, target, connection, timer };
    this.#pending.set(token, pending);
    const [oldest] = this.#pending;
    if (this.#pending.size > MAX_PENDING && oldest) this.#abortOne(...oldest);
    return token;
  }

  #take(requestState: unknown, target: string): ClientRequest {
    const token = String(requestState);
    const pending = this.#pending.get(token);
    if (pending?.target !== target) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
        reason: "invalid_request_state",
      });
    }
    clearTimeout(pending.timer);
    this.#pending.delete(token);
    return pending.request;
  }

  #abortOne(token: string, { request, timer }: Pending): void {
    clearTimeout(timer);
    this.#pending.delete(token);
    request.abort();
  }
}
