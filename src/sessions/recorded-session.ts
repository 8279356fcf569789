import type { DurableEvent, LiveEvent, SessionHeader, SessionInfo } from "../core/session-log.ts";
import { type AppendOptions, type Claim, SessionError, type SessionStore } from "../core/session-store.ts";
import { tryOrUndefined } from "../platform/values/try-or-undefined.ts";
import { appendAnswer, appendWhile } from "./append-answer.ts";
import { type EndEvent, type StartEvent, unknownEnd, withoutResult } from "./call-ends.ts";
import { FoldedLog } from "./folded-log.ts";
import { followLog } from "./follow-log.ts";
import { storeKept } from "./log-snapshot.ts";
import { retryUntilStored } from "./retry-until-stored.ts";

export type AnsweredEvent = DurableEvent & { readonly type: "question.answered" };

/** After so many events, a snapshot is stored even if no turn ends. */
const SNAPSHOT_EVENTS = 200;

interface RunningCall {
  readonly start: StartEvent;
  readonly startedAt: number;
  /** The claim of the turn that it belongs to; undefined for a call of a user. */
  readonly turn: Claim | undefined;
  /** The position of its start in the log; infinite until it is stored. */
  position: number;
  /** The position of the last request to cancel it that was read before its own position was known. */
  cancelledAt: number;
  isOver: boolean;
}

/** An end that is stored later. */
interface LateEnd {
  readonly stored: Promise<void>;
  /** Ends the attempts to store it, after one more. */
  readonly lastAttempt: AbortController;
}

interface HeldTurn {
  readonly claim: Claim;
  /** The position of its first prompt. */
  readonly position: number;
}

/** How a process reacts to the events of a session that it reads from the log. */
export interface LogReactions {
  /** Folds an event into the state. Called once for each state event, in the order of the log. Copies are from the session that this is a branch of. */
  fold(event: DurableEvent, isCopy: boolean, position: number): void;
  /** The positions of the events that the folded state depends on, ascending. */
  kept(): readonly number[];
  /** Any process has asked to stop these calls. */
  cancel(callIDs: readonly string[]): void;
  /** Any process has asked to stop the turn. */
  cancelTurn(): void;
  /** Another process, for which this one seemed to be gone, has ended the turn. The error says so. */
  superseded(error: unknown): void;
  /** Any process has answered a question. */
  answered(event: AnsweredEvent): void;
  /** The log cannot be followed now, or no longer. */
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
  readonly #folded: FoldedLog;
  readonly #calls = new Map<string, RunningCall>();
  /** The calls whose ends could not be stored yet. */
  readonly #ending = new Map<RunningCall, LateEnd>();
  #turn: HeldTurn | undefined;
  /** The claim for the calls of users. It is held as long as one of them runs. */
  #calling: Promise<Claim> | undefined;
  #release: NodeJS.Immediate | undefined;
  /** The number of claims that are held or asked for. */
  #claims = 0;
  #following: AbortController | undefined;
  /** The position of the last request to cancel everything that was read while a turn began. */
  #cancelledAt = 0;

  constructor(store: SessionStore, id: string, reactions: LogReactions) {
    this.#store = store;
    this.#id = id;
    this.#reactions = reactions;
    this.#folded = new FoldedLog(store, id, (...folded) => reactions.fold(...folded));
  }

  /** Folds what other processes have written. Undefined if the session does not exist, or if its id is that of another one now. */
  async refresh(): Promise<SessionInfo | undefined> {
    const info = await this.#store.get(this.#id);
    if (this.#createdAt !== undefined && info?.createdAt !== this.#createdAt) return undefined;
    this.#createdAt = info?.createdAt;
    this.#folded.copiedTo = info?.branchOf?.position ?? 0;
    if (info && info.position > this.#folded.position) await this.#folded.foldTo(info.position);
    this.#storeSnapshot(SNAPSHOT_EVENTS);
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
    this.#folded.copiedTo = created.branchOf?.position ?? 0;
    await this.#folded.foldTo(created.position);
    return created;
  }

  /**
   * Resolves when the event is durable and part of the state. Rejects with "superseded" if it belongs to a turn that another process
   * has ended.
   */
  async append(event: DurableEvent): Promise<void> {
    await this.#append(event, this.#turnOf(event));
  }

  /** A call does not fail because its progress cannot be shown. */
  publish(event: LiveEvent): void {
    tryOrUndefined(() => this.#store.publish(this.#id, event));
  }

  /** Begins a call, of the agent of the running turn or of a user: the process owns the session, and the event is durable. */
  async begin(start: StartEvent): Promise<void> {
    const parent = start.parentID === undefined ? undefined : this.#calls.get(start.parentID);
    const turn = start.caller === "agent" ? (parent?.turn ?? this.#turn?.claim) : undefined;
    const call: RunningCall = {
      ...{ start, startedAt: Date.now(), turn },
      ...{ position: Number.POSITIVE_INFINITY, cancelledAt: 0, isOver: false },
    };
    this.#calls.set(start.callID, call);
    try {
      call.position = turn ? await this.#append(start, turn) : await this.#appendOwned(start);
    } catch (error) {
      this.#forget(call);
      throw error;
    }
    if (call.cancelledAt > call.position) this.#reactions.cancel([start.callID]);
  }

  /** Ends a call. Resolves when the event is durable. A call whose start is not in the log has no end there either. */
  async end(end: EndEvent): Promise<void> {
    const call = this.#calls.get(end.callID);
    if (!call) return;
    call.isOver = true;
    try {
      await this.#append(end, call.turn);
      this.#forget(call);
    } catch (error) {
      const event = isRefused(error) ? withoutResult(end) : end;
      const store = (): Promise<void> => this.#appendEnd(event, call);
      // An end that is too large is stored without its result, at once.
      const again = isRefused(error) ? await store().catch((next: unknown) => next) : error;
      if (again === undefined) this.#forget(call);
      else this.#storeLater(call, again, store);
      throw error;
    }
  }

  /** Stores an end, unless the call is not open: then the claim was given up, and the call was interrupted with that. */
  async #appendEnd(end: EndEvent, { turn }: RunningCall): Promise<void> {
    const position = await appendWhile(this.#store, this.#id, end, {
      ...epochOf(turn),
      isNeeded: ({ openCalls }) => openCalls.includes(end.callID),
    });
    if (position !== undefined) await this.#folded.advance(position, end);
  }

  /** Stores an end that could not be stored. The process owns the session until then. */
  #storeLater(call: RunningCall, error: unknown, store: () => Promise<void>): void {
    const lastAttempt = new AbortController();
    const stored = retryUntilStored(error, store, lastAttempt.signal).finally(() => {
      this.#ending.delete(call);
      this.#forget(call);
    });
    this.#ending.set(call, { stored, lastAttempt });
  }

  /** Tries once more to store the ends that could not be stored yet: of the calls of a turn, or of all. */
  async #storeEnds(turn?: Claim): Promise<void> {
    const ends = [...this.#ending].flatMap(([call, end]) => (turn === undefined || call.turn === turn ? [end] : []));
    for (const { lastAttempt } of ends) lastAttempt.abort();
    await Promise.all(ends.map(({ stored }) => stored));
  }

  /** Ends the calls that still run, because their process no longer records how they end, and the ownership of the session. */
  async close(): Promise<void> {
    const open = [...this.#calls.values()].filter(({ isOver }) => !isOver);
    const ends = open.map(({ start, startedAt }) => unknownEnd(start, Date.now() - startedAt));
    await Promise.allSettled(ends.map((end) => this.end(end)));
    await this.#storeEnds();
    await this.release();
  }

  /**
   * Begins a turn with these events, of which the last is its prompt: the process is the only one that runs turns of the session.
   * Resolves to the position of the prompt. Rejects with "owned" while another process does.
   */
  async beginTurn(events: readonly DurableEvent[]): Promise<number> {
    this.#cancelledAt = 0;
    // All or none: choices of a turn that does not begin must not apply to the next one.
    const { claim, position } = await this.#claim("turn", events);
    this.#turn = { claim, position };
    if (this.#cancelledAt > position) this.#reactions.cancelTurn();
    return position;
  }

  /** Ends the turn. Calls of users that still run keep the ownership. */
  async endTurn(): Promise<void> {
    const turn = this.#turn;
    this.#turn = undefined;
    if (!turn) return;
    if (this.#ending.size > 0) await this.#storeEnds(turn.claim);
    this.#storeSnapshot(1);
    await this.#giveUp(turn.claim);
  }

  /** Stores which events the state depends on, if there are so many new ones. The next process then need not read the others. */
  #storeSnapshot(newEvents: number): void {
    const { position, snapshotAt } = this.#folded;
    if (this.#createdAt === undefined || position < snapshotAt + newEvents) return;
    this.#folded.snapshotAt = position;
    const session = { id: this.#id, createdAt: this.#createdAt };
    storeKept(this.#store, session, { position, kept: this.#reactions.kept() });
  }

  /** Ends the ownership of the session. */
  async release(): Promise<void> {
    clearImmediate(this.#release);
    const calling = this.#calling;
    this.#calling = undefined;
    const claim = await calling?.catch(() => undefined);
    await Promise.all([this.endTurn(), claim && this.#giveUp(claim)]);
  }

  /** Appends the start of a user's call. The first one brings the claim, later ones share it. */
  async #appendOwned(start: StartEvent): Promise<number> {
    for (let calling = this.#calling; calling; calling = this.#calling) {
      const claim = await calling.catch(() => undefined);
      if (this.#calling !== calling) continue;
      try {
        // While this call is among the running ones, the claim is not given up.
        if (claim) return await this.#append(start, claim);
      } catch (error) {
        if (!isSuperseded(error)) throw error;
      }
      // It was refused, or taken away by another process, for which this one seemed to be gone.
      if (this.#calling !== calling) continue;
      this.#calling = undefined;
      if (claim) await this.#giveUp(claim);
    }
    const claimed = this.#claim("call", [start]);
    const claiming = claimed.then(({ claim }) => claim);
    // Calls that share the claim may not come.
    claiming.catch(() => {});
    this.#calling = claiming;
    try {
      return (await claimed).position;
    } catch (error) {
      if (this.#calling === claiming) this.#calling = undefined;
      throw error;
    }
  }

  /** The call is over, or has not begun. The claim is given up when no call of a user follows at once. */
  #forget(call: RunningCall): void {
    if (this.#calls.get(call.start.callID) === call) this.#calls.delete(call.start.callID);
    if (call.turn || !this.#calling) return;
    clearImmediate(this.#release);
    this.#release = setImmediate(() => {
      const calling = this.#calling;
      if ([...this.#calls.values()].some(({ turn }) => !turn)) return;
      this.#calling = undefined;
      void calling?.then((claim) => this.#giveUp(claim)).catch(() => {});
    });
  }

  /** Claims the session and appends events with the claim. Rejects if either fails, and does neither then. */
  async #claim(
    why: "turn" | "call",
    events: readonly DurableEvent[],
  ): Promise<{ readonly claim: Claim; readonly position: number }> {
    this.#claims += 1;
    if (!this.#following) {
      this.#following = new AbortController();
      void this.#follow(this.#following.signal);
    }
    let claim: Claim | undefined;
    try {
      claim = await this.#store.claim(this.#id, why, events);
      const position = claim.position ?? (await this.#store.append(this.#id, events, epochOf(claim)));
      for (const [index, event] of events.entries())
        await this.#folded.advance(position - events.length + 1 + index, event);
      return { claim, position };
    } catch (error) {
      await this.#giveUp(claim);
      throw error;
    }
  }

  /** A store that cannot give up a claim now does that later. */
  async #giveUp(claim: Claim | undefined): Promise<void> {
    this.#claims -= 1;
    if (this.#claims === 0) {
      this.#following?.abort();
      this.#following = undefined;
    }
    await claim?.release().catch(() => {});
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { answered, lost } = this.#reactions;
    try {
      for await (const event of followLog(this.#store, this.#id, this.#folded.position, { signal, failed: lost })) {
        if (!("position" in event)) continue;
        // If the log cannot be read now, the state catches up with the next event.
        await this.#folded.advance(event.position, event)?.catch(() => {});
        if (event.type === "question.answered") answered(event);
        if (event.type === "cancel.requested") this.cancelled(event.position, event.callID);
        if (event.type === "session.interrupted") this.#interrupted(event.position);
      }
    } catch (error) {
      lost(error);
    }
  }

  /** There is a request to cancel a call, or everything, at a position. A turn or a call that began after it goes on. */
  cancelled(position: number, callID: string | undefined): void {
    const meant = [...this.#calls.values()].filter(
      ({ start, isOver }) => !isOver && (callID ?? start.callID) === start.callID,
    );
    for (const call of meant) call.cancelledAt = Math.max(call.cancelledAt, position);
    this.#reactions.cancel(meant.filter((call) => call.position < position).map(({ start }) => start.callID));
    if (callID !== undefined) return;
    this.#cancelledAt = Math.max(this.#cancelledAt, position);
    if (this.#turn && position > this.#turn.position) this.#reactions.cancelTurn();
  }

  /** A turn was interrupted at a position, perhaps this one by another process. Its claim tells. */
  #interrupted(position: number): void {
    const turn = this.#turn;
    if (!turn || position < turn.position) return;
    void this.#store
      .append(this.#id, [], epochOf(turn.claim))
      .catch((error: unknown) => this.#reportSuperseded(error, turn.claim));
  }

  #reportSuperseded(error: unknown, claim: Claim | undefined): void {
    if (isSuperseded(error) && claim && claim === this.#turn?.claim) this.#reactions.superseded(error);
  }

  /** The claim that an event needs: that of the turn, if it belongs to the turn. */
  #turnOf(event: DurableEvent): Claim | undefined {
    if (event.type === "question.asked") {
      const call = this.#calls.get(event.callID);
      return call ? call.turn : this.#turn?.claim;
    }
    return TURN_EVENTS.has(event.type) || (event.type === "state.set" && event.of === "agent")
      ? this.#turn?.claim
      : undefined;
  }

  async #append(event: DurableEvent, turn?: Claim): Promise<number> {
    try {
      const position =
        event.type === "question.answered"
          ? await appendAnswer(this.#store, this.#id, event)
          : await this.#store.append(this.#id, [event], epochOf(turn));
      await this.#folded.advance(position, event);
      this.#storeSnapshot(SNAPSHOT_EVENTS);
      return position;
    } catch (error) {
      this.#reportSuperseded(error, turn);
      throw error;
    }
  }
}

/** The events that only the turn of an agent appends. Starts and ends of calls of our tools have the claim of their call. */
const TURN_EVENTS: ReadonlySet<DurableEvent["type"]> = new Set([
  "message.user",
  "message.complete",
  "tool.start",
  "tool.complete",
  "tool.failed",
  "usage",
  "session.idle",
  "session.error",
  "session.interrupted",
]);

/** Whether the event itself is the reason. */
function isRefused(error: unknown): boolean {
  return SessionError.is(error) && (error.code === "too_large" || error.code === "invalid_event");
}

function isSuperseded(error: unknown): boolean {
  return SessionError.is(error) && error.code === "superseded";
}

function epochOf(claim: Claim | undefined): AppendOptions {
  return claim?.epoch === undefined ? {} : { epoch: claim.epoch };
}
