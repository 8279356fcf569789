import type { Issue } from "../core/schema.ts";
import type { Reply } from "./hosts.ts";
import type { HostRequest, RequestKind, ToHost } from "./protocol.ts";

const GRACE_MS = 1_000;
/** A host heard of this long after a request was sent has read the request. */
const TAKEN_AFTER_MS = 100;

/** Why something cannot be sent to another process. */
export const UNSENDABLE: Issue = {
  path: "",
  message: "holds something that is not plain data (a function, say). Pass JSON values only.",
};

/** What one host has been asked beside calls, and has not answered yet. */
export class Requests {
  readonly #send: (message: ToHost) => void;
  readonly #kill: (reason: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #ids = 0;

  constructor(send: (message: ToHost) => void, kill: (reason: string) => void) {
    this.#send = send;
    this.#kill = kill;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Never rejects. A host that has not answered a second after the abort is ended. */
  ask<K extends RequestKind>(request: HostRequest<K>, signal: AbortSignal, begun: () => void): Promise<Reply<K>> {
    if (signal.aborted) return Promise.resolve({ kind: "died", reason: "the call was cancelled" });
    const { promise, resolve } = Promise.withResolvers<Reply<K>>();
    this.#ids += 1;
    const id = this.#ids;
    const asked = request as HostRequest;
    const end = (): void => {
      if (this.#waiting.has(id)) this.#kill(`${subjectOf(asked)} did not end`);
    };
    const onAbort = (): void => void setTimeout(end, GRACE_MS).unref();
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (reply: Reply<RequestKind>): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(reply as Reply<K>);
    };
    this.#waiting.set(id, { settle, begun, sentAt: performance.now() });
    try {
      this.#send({ type: "request", id, request: asked });
    } catch {
      this.answered(id, unsendable(asked));
    }
    return promise;
  }

  answered(id: number, reply: Reply<RequestKind>): void {
    this.#waiting.get(id)?.settle(reply);
    this.#waiting.delete(id);
  }

  /** The host was last heard of at that time, on the clock of `performance.now()`. */
  heardAt(at: number): void {
    for (const { begun, sentAt } of this.#waiting.values()) if (at - sentAt > TAKEN_AFTER_MS) begun();
  }

  settleAll(reply: Reply<RequestKind>): void {
    for (const id of [...this.#waiting.keys()]) this.answered(id, reply);
  }
}

interface Waiting {
  readonly settle: (reply: Reply<RequestKind>) => void;
  readonly begun: () => void;
  readonly sentAt: number;
}

function unsendable({ kind }: HostRequest): Reply<RequestKind> {
  if (kind === "prepare") return { kind: "invalid", issues: [UNSENDABLE] };
  return { kind: "failed", message: `What was asked ${UNSENDABLE.message}` };
}

/** What was asked, as a sentence begins. */
function subjectOf(request: HostRequest): string {
  if (request.kind === "prepare") return `checking the input of "${request.target.tool}"`;
  if (request.kind === "render") return `drawing "${request.target.tool}"`;
  if (request.kind === "session") return `telling ${request.file} of a session`;
  return `the hook in ${request.file}`;
}
