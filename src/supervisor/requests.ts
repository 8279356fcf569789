import type { Issue } from "../core/schema.ts";
import type { Reply } from "../protocol/hosts.ts";
import type { HostAnswer, HostRequest, RequestKind, ToHost } from "../protocol/messages.ts";
import { InvalidMessage } from "../protocol/validate-message.ts";

const GRACE_MS = 1_000;
/** A host heard of this long after a request was sent has read the request. */
const TAKEN_AFTER_MS = 100;

/** Why something cannot be sent to another process. */
export const UNSENDABLE: Issue = {
  path: "",
  message: "holds something that is not plain data (a function, say). Pass JSON values only.",
};

interface Waiting {
  readonly request: HostRequest;
  readonly settle: (reply: Reply<RequestKind>) => void;
  readonly begun: () => void;
  readonly sentAt: number;
}

/** The kinds of answers that each request may have. */
const ANSWERS: { readonly [K in RequestKind]: Readonly<Record<HostAnswer<K>["kind"], true>> } = {
  prepare: { prepared: true, invalid: true, failed: true },
  render: { rendered: true, failed: true },
  before: { passed: true, changed: true, refused: true, failed: true },
  after: { after: true, failed: true },
  session: { told: true, failed: true },
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
    this.#waiting.set(id, { request: asked, settle, begun, sentAt: performance.now() });
    try {
      this.#send({ type: "request", id, request: asked });
    } catch {
      this.#settle(id, unsendable(asked));
    }
    return promise;
  }

  /** Whether something about a file is being asked. */
  includes(file: string): boolean {
    return [...this.#waiting.values()].some(({ request }) => fileOf(request) === file);
  }

  /** Throws `InvalidMessage` for an answer to something that was not asked. A request may be given up before its answer. */
  answered(id: number, answer: HostAnswer): void {
    if (id > this.#ids) throw new InvalidMessage('"response": no such request');
    const { kind } = this.#waiting.get(id)?.request ?? {};
    if (kind !== undefined && !Object.hasOwn(ANSWERS[kind], answer.kind)) {
      throw new InvalidMessage(`"response": "${answer.kind}" does not answer "${kind}"`);
    }
    this.#settle(id, answer);
  }

  /** The host was last heard of at that time, on the clock of `performance.now()`. */
  heardAt(at: number): void {
    for (const { begun, sentAt } of this.#waiting.values()) if (at - sentAt > TAKEN_AFTER_MS) begun();
  }

  settleAll(reply: Reply<RequestKind>): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, reply);
  }

  #settle(id: number, reply: Reply<RequestKind>): void {
    this.#waiting.get(id)?.settle(reply);
    this.#waiting.delete(id);
  }
}

function unsendable({ kind }: HostRequest): Reply<RequestKind> {
  if (kind === "prepare") return { kind: "invalid", issues: [UNSENDABLE] };
  return { kind: "failed", message: `What was asked ${UNSENDABLE.message}` };
}

function fileOf(request: HostRequest): string {
  return "target" in request ? request.target.file : request.file;
}

/** What was asked, as a sentence begins. */
function subjectOf(request: HostRequest): string {
  if (request.kind === "prepare") return `checking the input of "${request.target.tool}"`;
  if (request.kind === "render") return `drawing "${request.target.tool}"`;
  if (request.kind === "session") return `telling ${request.file} of a session`;
  return `the hook in ${request.file}`;
}
