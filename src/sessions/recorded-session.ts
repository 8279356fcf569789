import type { DurableEvent, LiveEvent, SessionHeader, SessionInfo, StoredEvent } from "../core/session-log.ts";
import { type Claim, SessionError, type SessionStore } from "../core/session-store.ts";
import { tryOrUndefined } from "../core/try-or-undefined.ts";
import { appendAnswer } from "./append-answer.ts";
import { STATE_EVENTS } from "./session-state.ts";

/** How many events are read at a time. */
const PAGE = 500;

export type AnsweredEvent = DurableEvent & { readonly type: "question.answered" };

type StartEvent = DurableEvent & { readonly type: "tool.start" };
/** The end of a call. */
export type EndEvent = DurableEvent & { readonly type: "tool.complete" | "tool.failed" };

type Claimed = Parameters<SessionStore["claim"]>[1];

interface RunningCall {
  readonly start: StartEvent;
  readonly startedAt: number;
  /** The position of its start in the log; infinite until it is stored. */
  position: number;
}

/** How a process reacts to the events of a session that it reads from the log. */
export interface LogReactions {
  /** Folds an event into the state. Called once for each state event, in the order of the log. */
  fold(event: DurableEvent): void;
  /** Any process has asked to stop these calls. */
  cancel(callIDs: readonly string[]): void;
  /** Any process has asked to stop the turn. */
  cancelTurn(): void;
  /** Any process has answered a question. */
  answered(event: AnsweredEvent): void;
  /** The log can no longer be followed. */
  lost(error: unknown): void;
}

/**
 * The log of a session as one process uses it. The state is folded in the order of the log, although other processes may
 * write to it as well. The process is an owner of the session while its turn or its calls run, and then follows the log.
 */
export class RecordedSession {
  readonly #store: SessionStore;
  readonly #id: string;
  readonly #reactions: LogReactions;
  #createdAt: number | undefined;
  /** The position up to which the state is folded. */
  #position = 0;
  #folding: Promise<void> | undefined;
  /** The running calls, by id. */
  readonly #calls = new Map<string, RunningCall>();
  readonly #claims = new Map<Claimed, Promise<Claim>>();
  #following: AbortController | undefined;
  /** The position after which a request to cancel means the running turn. */
  #turnFrom: number | undefined;

  constructor(store: SessionStore, id: string, reactions: LogReactions) {
    this.#store = store;
    this.#id = id;
    this.#reactions = reactions;
  }

  /** Folds what other processes have written. Undefined if the session does not exist, or if its id is that of another one now. */
  async refresh(): Promise<SessionInfo | undefined> {
    const info = await this.#store.get(this.#id);
    if (this.#createdAt !== undefined && info?.createdAt !== this.#createdAt) return undefined;
    this.#createdAt = info?.createdAt;
    if (info && info.position > this.#position) await this.#foldTo(info.position);
    return info;
  }

  /** Creates the session, or finds it if another process has created it meanwhile. */
  async create(header: SessionHeader): Promise<SessionInfo> {
    const created = await this.#store.create({ ...header, id: this.#id }).catch(async (error: unknown) => {
      const existing = SessionError.is(error) && error.code === "session_exists" && (await this.#store.get(this.#id));
      if (existing) return existing;
      throw error;
    });
    this.#createdAt = created.createdAt;
    await this.#foldTo(created.position);
    return created;
  }

  /** Resolves when the event is durable and part of the state. */
  async append(event: DurableEvent): Promise<void> {
    await this.#append(event);
  }

  /** A call does not fail because its progress cannot be shown. */
  publish(event: LiveEvent): void {
    tryOrUndefined(() => this.#store.publish(this.#id, event));
  }

  /** Begins a call: the process owns the session, and the event is durable. */
  async begin(start: StartEvent): Promise<void> {
    const call = { start, startedAt: Date.now(), position: Number.POSITIVE_INFINITY };
    this.#calls.set(start.callID, call);
    // Both are one commit if the store combines them. The claim comes first: it ends what an owner that is gone has left open.
    const owning = this.#claims.has("turn") ? undefined : this.#own("call");
    const appending = this.#append(start).catch((error: unknown) => {
      this.#calls.delete(start.callID);
      throw error;
    });
    const [, position] = await Promise.all([owning, appending]);
    call.position = position;
  }

  /** Ends a call. Resolves when the event is durable. A call whose start is not in the log has no end there either. */
  async end(end: EndEvent): Promise<void> {
    const call = this.#calls.get(end.callID);
    this.#calls.delete(end.callID);
    await Promise.all([call && this.#appendEnd(end, call), this.#calls.size === 0 ? this.#disown("call") : undefined]);
  }

  /** Rejects if the end cannot be stored, for example because it is too large. It is then stored without the result. */
  async #appendEnd(end: EndEvent, call: RunningCall): Promise<void> {
    try {
      await this.#append(end);
    } catch (error) {
      // A call that stays open in the log is ended by `close`.
      await this.#append(withoutResult(end)).catch(() => this.#calls.set(end.callID, call));
      throw error;
    }
  }

  /** Ends the calls that still run, because their process no longer records how they end, and the ownership of the session. */
  async close(): Promise<void> {
    const ends = [...this.#calls.values()].map(({ start, startedAt }) => unknownEnd(start, Date.now() - startedAt));
    await Promise.all(ends.map((end) => this.end(end)));
    await this.release();
  }

  /**
   * Begins a turn with these events: the process is the only one that runs turns of the session. Resolves to the position of the
   * last of them. Rejects with "owned" while another process does.
   */
  async beginTurn(events: readonly DurableEvent[]): Promise<number> {
    await this.#own("turn");
    try {
      this.#turnFrom = this.#position;
      // All or none: choices of a turn that does not begin must not apply to the next one.
      const position = await this.#store.append(this.#id, events);
      for (const [index, event] of events.entries()) await this.#advance(position - events.length + 1 + index, event);
      return position;
    } catch (error) {
      await this.endTurn();
      throw error;
    }
  }

  /** Ends the turn. Calls that still run keep the ownership. */
  async endTurn(): Promise<void> {
    this.#turnFrom = undefined;
    // The claim for the turn is given up at once: the next turn must not use it.
    const owning = this.#calls.size > 0 ? this.#own("call").catch(() => {}) : undefined;
    await Promise.all([owning, this.#disown("turn")]);
  }

  /** Ends the ownership of the session. */
  async release(): Promise<void> {
    await Promise.all([this.#disown("turn"), this.#disown("call")]);
  }

  async #own(why: Claimed): Promise<void> {
    let claim = this.#claims.get(why);
    if (!claim) {
      claim = this.#store.claim(this.#id, why);
      this.#claims.set(why, claim);
      if (!this.#following) {
        this.#following = new AbortController();
        void this.#follow(this.#following.signal);
      }
    }
    await claim.catch(async (error: unknown) => {
      await this.#disown(why);
      throw error;
    });
  }

  async #disown(why: Claimed): Promise<void> {
    const claimed = this.#claims.get(why);
    this.#claims.delete(why);
    if (this.#claims.size === 0) {
      this.#following?.abort();
      this.#following = undefined;
    }
    const claim = await claimed?.catch(() => undefined);
    await claim?.release();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let seen = this.#position;
    while (!signal.aborted) {
      try {
        for await (const event of this.#store.follow(this.#id, seen, signal)) {
          if (!("position" in event)) continue;
          await this.#advance(event.position, event);
          if (event.type === "question.answered") this.#reactions.answered(event);
          if (event.type === "cancel.requested") this.#cancel(event);
          seen = event.position;
        }
        return;
      } catch (error) {
        const isTooSlow = SessionError.is(error) && error.code === "reader_too_slow";
        if (!isTooSlow && !signal.aborted) return this.#reactions.lost(error);
      }
    }
  }

  /** A turn or a call that began after the request goes on. */
  #cancel({ position, callID }: StoredEvent & { readonly type: "cancel.requested" }): void {
    const calls = [...this.#calls].filter(([id, start]) => start.position < position && (callID ?? id) === id);
    this.#reactions.cancel(calls.map(([id]) => id));
    const isOfTurn = this.#turnFrom !== undefined && position > this.#turnFrom;
    if (isOfTurn && callID === undefined) this.#reactions.cancelTurn();
  }

  async #append(event: DurableEvent): Promise<number> {
    const position =
      event.type === "question.answered"
        ? await appendAnswer(this.#store, this.#id, event)
        : await this.#store.append(this.#id, [event]);
    await this.#advance(position, event);
    return position;
  }

  /** Folds the event at a position, and those before it that this process has not seen yet. */
  #advance(position: number, event: DurableEvent): Promise<void> | undefined {
    if (position <= this.#position) return undefined;
    if (position !== this.#position + 1 || this.#folding) return this.#foldTo(position);
    this.#position = position;
    this.#reactions.fold(event);
    return undefined;
  }

  #foldTo(position: number): Promise<void> {
    const before = this.#folding?.catch(() => {}) ?? Promise.resolve();
    const folding = before
      .then(() => this.#readTo(position))
      .finally(() => {
        if (this.#folding === folding) this.#folding = undefined;
      });
    this.#folding = folding;
    return folding;
  }

  async #readTo(position: number): Promise<void> {
    while (this.#position < position) {
      const events = await this.#store.read(this.#id, this.#position, PAGE, STATE_EVENTS);
      for (const event of events) {
        this.#position = event.position;
        this.#reactions.fold(event);
      }
      if (events.length === 0) this.#position = position;
    }
  }
}

function withoutResult(end: EndEvent): EndEvent {
  const message = "The result could not be recorded.";
  const content = [{ type: "text", text: message }] as const;
  const { durationMs } = end.result.notes;
  if (end.type === "tool.complete") return { ...end, result: { ok: true, content, notes: { durationMs } } };
  const error = { code: end.result.error.code, message };
  return { ...end, result: { ok: false, content, error, notes: { durationMs } } };
}

function unknownEnd(
  { callID, tool, messageID, agent, parentID }: StartEvent,
  durationMs: number,
): DurableEvent & { readonly type: "tool.failed" } {
  const message =
    "The program closed its toolbox before this call ended. It is unknown whether the call had an effect.";
  return {
    type: "tool.failed",
    ...{ callID, tool, messageID, agent, ...(parentID === undefined ? {} : { parentID }) },
    result: { ok: false, content: [], error: { code: "aborted", message }, notes: { durationMs } },
  };
}
