import { AgentError } from "../core/agent-error.ts";
import { messageOf } from "../core/error.ts";
import type { FollowedEvent } from "../core/session-log.ts";
import { SessionError, type SessionStore } from "../core/session-store.ts";
import { followLog } from "./follow-log.ts";
import type { Turn, TurnError, TurnResult } from "./turn.ts";

/** The events that end a turn. */
const ENDS: readonly string[] = ["session.idle", "session.error", "session.interrupted"];

/** The implementation of `Turn`. Its events are read from the log, so that every reader gets the same ones in the same order. */
export class RunningTurn implements Turn {
  readonly sessionID: string;
  readonly result: Promise<TurnResult>;
  /** Whether its end may be in the log already. A reader of the log may then send the next prompt. */
  isEnding = false;
  /** Whether the log has the end of the turn. */
  #isRecorded = true;
  /** Set if the turn is ended because its process stops. */
  interruption: string | undefined;
  /** Set if another process has ended the turn: nothing more of it can be stored. */
  superseded: unknown;
  readonly #abort = new AbortController();
  readonly #begun = Promise.withResolvers<{ readonly store: SessionStore; readonly after: number } | undefined>();

  constructor(sessionID: string, run: (turn: RunningTurn) => Promise<TurnResult>, signal: AbortSignal | undefined) {
    this.sessionID = sessionID;
    const abort = (): void => this.abort();
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    this.result = run(this)
      .catch((error: unknown): TurnResult => {
        this.#isRecorded = false;
        return { ok: false, text: "", error: toTurnError(error) };
      })
      .finally(() => {
        signal?.removeEventListener("abort", abort);
        this.#begun.resolve(undefined);
      });
  }

  /** Fires when the turn is aborted. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The events of the turn are those after this position. */
  begin(store: SessionStore, after: number): void {
    this.#begun.resolve({ store, after });
  }

  get begun(): Promise<number | undefined> {
    return this.#begun.promise.then((begun) => (begun ? begun.after + 1 : undefined));
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Aborts the turn. In the log, it is interrupted for this reason. */
  interrupt(reason: string): void {
    this.interruption ??= reason;
    this.abort();
  }

  /** Another process has ended the turn: its agent and its calls are ended, but not those of users. */
  supersede(error: unknown): void {
    this.superseded ??= error;
    this.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FollowedEvent> {
    const begun = await this.#begun.promise;
    if (!begun) return;
    const over = new AbortController();
    // If the last event could not be stored, it never arrives.
    void this.result.then(() => this.#isRecorded || over.abort());
    for await (const event of followLog(begun.store, this.sessionID, begun.after, { signal: over.signal })) {
      yield event;
      if (ENDS.includes(event.type)) return;
    }
  }
}

export function toTurnError(error: unknown): TurnError {
  if (AgentError.is(error) || SessionError.is(error)) return { code: error.code, message: error.message };
  return { code: "failed", message: messageOf(error) };
}
