import type { Issue } from "../../core/schema.ts";
import type { QueryOutcome } from "../../host/protocol/hosts.ts";
import type { HostQuery, QueryAnswer, QueryKind, ToHost } from "../../host/protocol/messages.ts";
import { InvalidMessage } from "../../host/protocol/validate-message.ts";

const GRACE_MS = 1_000;
/** A host that sends something this long after a query was sent has read the query. */
const TAKEN_AFTER_MS = 100;

/** Why a value cannot be sent to another process. */
export const UNSENDABLE: Issue = {
  path: "",
  message: "holds something that is not plain data (a function, say). Pass JSON values only.",
};

interface Waiting {
  readonly query: HostQuery;
  readonly settle: (reply: QueryOutcome<QueryKind>) => void;
  readonly started: () => void;
  readonly sentAt: number;
}

/** The kinds of answers that each query allows. */
const ANSWERS: { readonly [K in QueryKind]: Readonly<Record<QueryAnswer<K>["kind"], true>> } = {
  prepare: { prepared: true, invalid: true, slow: true, failed: true },
  render: { rendered: true, failed: true },
  before: { passed: true, changed: true, refused: true, failed: true },
  after: { after: true, failed: true },
  session: { handled: true, failed: true },
};

/** The queries that one host has not answered yet. */
export class RunningQueries {
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

  /** Never rejects. A host that has not answered one second after the abort is killed. */
  run<K extends QueryKind>(query: HostQuery<K>, signal: AbortSignal, started: () => void): Promise<QueryOutcome<K>> {
    if (signal.aborted) return Promise.resolve({ kind: "died", reason: "the call was cancelled" });
    const { promise, resolve } = Promise.withResolvers<QueryOutcome<K>>();
    this.#ids += 1;
    const id = this.#ids;
    const asked = query as HostQuery;
    const end = (): void => {
      if (this.#waiting.has(id)) this.#kill(`${subjectOf(asked)} did not end`);
    };
    const onAbort = (): void => void setTimeout(end, GRACE_MS).unref();
    signal.addEventListener("abort", onAbort, { once: true });
    const settle = (reply: QueryOutcome<QueryKind>): void => {
      signal.removeEventListener("abort", onAbort);
      resolve(reply as QueryOutcome<K>);
    };
    this.#waiting.set(id, { query: asked, settle, started, sentAt: performance.now() });
    try {
      this.#send({ type: "query", id, query: asked });
    } catch {
      this.#settle(id, unsendable(asked));
    }
    return promise;
  }

  includes(file: string): boolean {
    return [...this.#waiting.values()].some(({ query }) => fileOf(query) === file);
  }

  /** Throws `InvalidMessage` for an answer to a query that was never sent. Answers to abandoned queries are ignored. */
  answered(id: number, answer: QueryAnswer): void {
    if (id > this.#ids) throw new InvalidMessage('"answer": no such query');
    const { kind } = this.#waiting.get(id)?.query ?? {};
    if (kind !== undefined && !Object.hasOwn(ANSWERS[kind], answer.kind)) {
      throw new InvalidMessage(`"answer": "${answer.kind}" does not answer "${kind}"`);
    }
    this.#settle(id, answer);
  }

  /** The host last sent something at that time, on the clock of `performance.now()`. */
  heardAt(at: number): void {
    for (const { started, sentAt } of this.#waiting.values()) if (at - sentAt > TAKEN_AFTER_MS) started();
  }

  /** Another host may answer the queries. `blames`: the first one in the order of their arrival probably blocks this host. */
  handBack(blames: boolean): void {
    const [first] = this.#waiting.keys();
    if (blames && first !== undefined) this.#settle(first, { kind: "blocked" });
    this.settleAll({ kind: "not-started" });
  }

  settleAll(reply: QueryOutcome<QueryKind>): void {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, reply);
  }

  #settle(id: number, reply: QueryOutcome<QueryKind>): void {
    this.#waiting.get(id)?.settle(reply);
    this.#waiting.delete(id);
  }
}

function unsendable({ kind }: HostQuery): QueryOutcome<QueryKind> {
  if (kind === "prepare") return { kind: "invalid", issues: [UNSENDABLE] };
  return { kind: "failed", message: `The query ${UNSENDABLE.message}` };
}

function fileOf(query: HostQuery): string {
  return "target" in query ? query.target.file : query.file;
}

function subjectOf(query: HostQuery): string {
  if (query.kind === "prepare") return `checking the input of "${query.target.tool}"`;
  if (query.kind === "render") return `drawing "${query.target.tool}"`;
  if (query.kind === "session") return `telling ${query.file} of a session`;
  return `the hook in ${query.file}`;
}
