import type { AskingCall, Call } from "../calls/call.ts";
import type { Approver, NewQuestion, Questions } from "../calls/permission-question.ts";
import type { QuestionOutcome } from "../calls/question-outcome.ts";
import type { QuestionAnswer, QuestionAskedEvent, QuestionEvent } from "../core/question.ts";
import type { DurableEvent } from "../core/session-log.ts";
import { defined } from "../platform/values/defined.ts";
import { Listeners } from "../platform/values/listeners.ts";
import { setBounded } from "../platform/values/set-bounded.ts";
import { CALL_ENDED } from "./log/session-info.ts";
import { assertFits, parseAnswer, questionClosed, questionNotFound } from "./question-answer.ts";
import { retryUntilStored } from "./retry-until-stored.ts";
import { firstAnswer, needsRules, type SaveRules, saveFirst, type UndoRules } from "./save-rules.ts";

/** How many questions about one call may be open. A person cannot answer more, and each stays in memory. */
const MAX_OPEN = 100;

/** The number of closed questions that are remembered, to tell a late answer from one to an unknown question. */
const MAX_CLOSED = 1_000;

type AnsweredEvent = QuestionEvent & { readonly type: "question.answered" };
type Withdrawal = QuestionAnswer & { readonly withdrawn: true };
/** Stores the end of a question; if that fails, it is tried again later. */
type Attempt = (store: () => Promise<void> | undefined) => Promise<void> | undefined;

interface OpenQuestion {
  readonly event: QuestionAskedEvent;
  readonly call: AskingCall;
  /** The calls that wait for this one. */
  readonly above: readonly Call[];
  readonly isAllowed: (() => boolean) | undefined;
  readonly outcome: PromiseWithResolvers<QuestionOutcome>;
  readonly closed: AbortController;
  /** Set while the question is being stored, and after that: resolves to whether the log has it. */
  stored: Promise<boolean> | undefined;
  /** Set when the sessions that wait for the call get the question: resolves when they have it. */
  copied: Promise<void> | undefined;
  isShown: boolean;
  /** Set while the rules of an answer "always" are being written. Other answers wait for it. It never rejects. */
  saving: Promise<void> | undefined;
  /** Set by the first answer. Others are refused from then on. */
  answered: AnsweredEvent | undefined;
  isAnswerShown: boolean;
}

export interface OpenQuestionsOptions {
  readonly approver: Approver | undefined;
  /** The calls that wait for the calls of a session, because they delegated its task. */
  readonly callsAbove: (sessionID: string) => readonly Call[];
  readonly saveRules: SaveRules;
  /** Called when a session begins to wait for an answer. The returned function is called when it no longer does. */
  readonly pauseTurn?: (sessionID: string) => () => void;
  /** Passes the answer to a question of another process on. Rejects with a `SessionError` if there is no such question. */
  readonly forward?: (sessionID: string, event: DurableEvent & { readonly type: "question.answered" }) => Promise<void>;
}

/**
 * The questions of this process to people. A question is an event of its run and of its session. Those of a sub-agent are also
 * events of the runs and sessions that wait for it, where a person reads. The first answer counts, wherever it comes from. Each
 * question is closed by exactly one `question.answered`.
 */
export class OpenQuestions implements Questions {
  readonly approver: Approver | undefined;
  readonly #options: OpenQuestionsOptions;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #closed = new Map<string, "answered" | "withdrawn">();
  readonly #events = new Listeners<QuestionEvent>();
  /** Withdrawals that are being stored. */
  readonly #storing = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: OpenQuestionsOptions) {
    this.approver = options.approver;
    this.#options = options;
  }

  async ask(call: AskingCall, { reason, details, askHere, signal, isAllowed }: NewQuestion): Promise<QuestionOutcome> {
    const { sessionID, callID, messageID, agent } = call.context;
    const questionID = `${Buffer.from(sessionID).toString("base64url")}.${crypto.randomUUID()}`;
    const base = { callID, tool: call.name, sessionID, messageID, agent, at: Date.now() };
    const parent = defined({ parentID: call.parentID });
    const open: OpenQuestion = {
      event: { ...base, ...parent, type: "question.asked", questionID, reason, ...details },
      call,
      above: this.#options.callsAbove(sessionID),
      isAllowed,
      outcome: Promise.withResolvers(),
      closed: new AbortController(),
      stored: undefined,
      copied: undefined,
      isShown: false,
      saving: undefined,
      answered: undefined,
      isAnswerShown: false,
    };
    const cancel = (): void => this.#withdraw(open, { kind: "cancelled" });
    const dismiss = (): void => this.#withdraw(open, { kind: "dismissed" });
    if (call.signal.aborted) return { kind: "cancelled" };
    if (signal?.aborted) return { kind: "dismissed" };
    if (this.#openOf(callID) >= MAX_OPEN) {
      return { kind: "failed", what: `"${call.name}" has ${MAX_OPEN} open questions, the maximum` };
    }
    this.#open.set(questionID, open);
    call.signal.addEventListener("abort", cancel, { once: true });
    signal?.addEventListener("abort", dismiss, { once: true });
    // A call that ends in another way, for example because its process died, closes its questions too.
    call.atEnd.push(cancel);
    const resume = [
      ...open.above.map(({ clock }) => clock.pause()),
      ...this.#pauseTurns([call, ...open.above].map(({ context }) => context.sessionID)),
    ];
    try {
      await this.#show(open);
      if (askHere && !open.answered) void this.#askHere(open, askHere);
      return await open.outcome.promise;
    } finally {
      for (const each of resume) each();
      call.signal.removeEventListener("abort", cancel);
      signal?.removeEventListener("abort", dismiss);
      call.atEnd.splice(call.atEnd.indexOf(cancel), 1);
    }
  }

  #pauseTurns(sessionIDs: readonly string[]): readonly (() => void)[] {
    return [...new Set(sessionIDs)].flatMap((sessionID) => this.#options.pauseTurn?.(sessionID) ?? []);
  }

  /**
   * Answers a question. Resolves when the answer is stored and, for "always", its rules are on disk. Rejects with a `SessionError` if the
   * answer is not valid, the question is not open, or the rules cannot be written: the question then stays open.
   */
  async answer(questionID: string, value: unknown): Promise<void> {
    const answer = parseAnswer(value);
    for (let saving = this.#savingOf(questionID); saving; saving = this.#savingOf(questionID)) await saving;
    const open = this.#open.get(questionID);
    if (open) {
      assertFits(answer, open.event);
      return this.#take(open, answer, "elsewhere");
    }
    const closed = this.#closed.get(questionID);
    if (closed) throw questionClosed(closed);
    const sessionID = sessionOfQuestion(questionID);
    if (sessionID === undefined || !this.#options.forward) throw questionNotFound();
    await this.#options.forward(sessionID, { type: "question.answered", questionID, ...answer });
  }

  /**
   * Closes a question of this process with an answer that is in the log already. Returns false if the question is not open. An
   * answer that does not fit counts as a no; a duration that was not offered is ignored.
   */
  settle(questionID: string, answer: QuestionAnswer): boolean {
    const open = this.#open.get(questionID);
    if (!open) return false;
    void this.#take(open, fitting(answer, open.event), "log");
    return true;
  }

  /** The open questions, oldest first; with `sessionID`, those of this session and of its sub-agents. */
  list(sessionID?: string): readonly QuestionAskedEvent[] {
    const isOf = ({ call, above }: OpenQuestion): boolean =>
      sessionID === undefined || [call, ...above].some(({ context }) => context.sessionID === sessionID);
    return [...this.#open.values()].filter((open) => open.isShown && isOf(open)).map(({ event }) => event);
  }

  onEvent(listener: (event: QuestionEvent) => void): () => void {
    return this.#events.listen(listener);
  }

  withdrawAllowed(): void {
    for (const open of [...this.#open.values()]) {
      if (open.isAllowed?.()) this.#withdraw(open, { kind: "allowed" });
    }
  }

  /** Withdraws all questions, and resolves when that is stored, or has failed once more. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const open of [...this.#open.values()]) this.#withdraw(open, { kind: "cancelled" });
    while (this.#storing.size > 0) await Promise.all(this.#storing);
  }

  #savingOf(questionID: string): Promise<void> | undefined {
    return this.#open.get(questionID)?.saving;
  }

  #openOf(callID: string): number {
    let count = 0;
    for (const { event } of this.#open.values()) if (event.callID === callID) count += 1;
    return count;
  }

  /** Stores the question, then shows it. */
  async #show(open: OpenQuestion): Promise<void> {
    open.stored = open.call.scope.session.record(toDurable(open.event))?.then(
      () => true,
      () => false,
    );
    if (open.stored && !(await open.stored)) {
      return this.#withdraw(open, { kind: "failed", what: "The question could not be stored" });
    }
    if (open.answered) return;
    open.copied = copyQuestion(open);
    if (open.copied) await open.copied;
    if (open.answered) return;
    open.isShown = true;
    this.#emit(open, open.event);
  }

  async #askHere(open: OpenQuestion, ask: NonNullable<NewQuestion["askHere"]>): Promise<void> {
    try {
      const answer = await ask(open.closed.signal);
      while (open.saving) await open.saving;
      if (open.answered) return;
      if (answer) return await this.#take(open, answer, "here");
      if (!open.call.scope.answerable) this.#withdraw(open, { kind: "unasked" });
    } catch {
      this.#withdraw(open, { kind: "failed", what: "The question could not be asked" });
    }
  }

  /** Closes a question with an answer. Resolves when the answer is stored, rejects if that fails: it then counts as a no. */
  async #take(open: OpenQuestion, answer: QuestionAnswer, from: "here" | "elsewhere" | "log"): Promise<void> {
    const isSavedFirst = from !== "log" && needsRules(answer, open.event);
    const saved = isSavedFirst ? await this.#closeSaved(open, answer, from) : undefined;
    const event = saved?.event ?? this.#close(open, answer);
    if (from !== "here") open.closed.abort();
    try {
      const stored = from === "log" ? undefined : storeEnd(open, event);
      if (stored) await stored;
    } catch (error) {
      const first = firstAnswer(error);
      await saved?.undo(first);
      if (first) {
        // Another process was first: its answer counts.
        open.answered = this.#answeredEvent(open, fitting(first, open.event));
        open.outcome.resolve({ kind: "answered", answer: fitting(first, open.event), from: "elsewhere" });
      } else {
        const failed = { kind: "failed", what: "The answer could not be stored" } as const;
        const withdrawn = this.#answeredEvent(open, withdrawnBy(failed));
        open.answered = withdrawn;
        this.#closeInLog(open, withdrawn);
        open.outcome.resolve(failed);
      }
      throw error;
    } finally {
      const copied = copyAnswer(open, open.answered ?? event, this.#attempt);
      if (copied) await copied;
      this.#showAnswer(open);
    }
    open.outcome.resolve({ kind: "answered", answer, from: from === "here" ? "here" : "elsewhere" });
  }

  /**
   * Writes the rules of an answer "always", then closes the question. If that fails, an answer from elsewhere is refused, and the question
   * stays open. A person who was asked here cannot be asked again, so the answer counts for less long.
   */
  async #closeSaved(open: OpenQuestion, answer: QuestionAnswer, from: "here" | "elsewhere"): Promise<Saved> {
    const { promise, resolve } = Promise.withResolvers<void>();
    open.saving = promise;
    try {
      const undo = await saveFirst(answer, open.event, this.#options.saveRules).catch((error: unknown) => {
        if (from === "elsewhere") throw error;
        return undefined;
      });
      if (open.answered) {
        await undo?.(open.answered);
        throw questionClosed("answered");
      }
      const event = this.#close(open, undo ? answer : withoutAlways(answer, open.event));
      return { event, undo: undo ?? (async () => {}) };
    } finally {
      open.saving = undefined;
      resolve();
    }
  }

  /** Closes a question without an answer of a person. */
  #withdraw(open: OpenQuestion, outcome: Exclude<QuestionOutcome, { kind: "answered" }>): void {
    if (open.saving) return this.#keep(open.saving.then(() => this.#withdraw(open, outcome)));
    // If its answer is still being stored, the call is about to end, and its readers must see the answer before that.
    if (open.answered) return this.#showAnswer(open);
    const event = this.#close(open, withdrawnBy(outcome));
    open.closed.abort();
    this.#closeInLog(open, event);
    this.#keep(copyAnswer(open, event, this.#attempt));
    this.#showAnswer(open);
    open.outcome.resolve(outcome);
  }

  /** Closes a question in the log of its session. While the store fails, that is tried again: otherwise the session would wait. */
  #closeInLog(open: OpenQuestion, event: AnsweredEvent): void {
    this.#keep(this.#attempt(() => storeEnd(open, event)));
  }

  /** Keeps what is being stored, for `close`. */
  #keep(stored: Promise<void> | undefined): void {
    if (!stored) return;
    this.#storing.add(stored);
    void stored.then(() => this.#storing.delete(stored));
  }

  /** Resolves after the first attempt. */
  readonly #attempt: Attempt = (store) =>
    store()?.catch((error: unknown) => this.#keep(retryUntilStored(error, store, this.#closing.signal)));

  #close(open: OpenQuestion, answer: QuestionAnswer & { readonly withdrawn?: true }): AnsweredEvent {
    const event = this.#answeredEvent(open, answer);
    const { questionID } = event;
    open.answered = event;
    this.#open.delete(questionID);
    setBounded(this.#closed, questionID, answer.withdrawn ? "withdrawn" : "answered", MAX_CLOSED);
    return event;
  }

  #answeredEvent(open: OpenQuestion, answer: QuestionAnswer & { readonly withdrawn?: true }): AnsweredEvent {
    const { callID, tool, sessionID, messageID, agent, parentID, questionID } = open.event;
    const parent = defined({ parentID });
    const base = { callID, tool, sessionID, messageID, agent, ...parent, at: Date.now() };
    return { ...base, type: "question.answered", questionID, ...answer };
  }

  /** Shows the answer once, and only if the question was shown. */
  #showAnswer(open: OpenQuestion): void {
    if (!open.isShown || !open.answered || open.isAnswerShown) return;
    open.isAnswerShown = true;
    this.#emit(open, open.answered);
  }

  #emit({ call, above }: OpenQuestion, event: QuestionEvent): void {
    for (const { emit } of [call, ...above]) emit(event);
    this.#events.emit(event);
  }
}

/** An answer "always" that has closed its question. */
interface Saved {
  readonly event: AnsweredEvent;
  readonly undo: UndoRules;
}

/** The answer as it is stored if its rules could not be written. */
function withoutAlways({ remember: _, ...answer }: QuestionAnswer, question: QuestionAskedEvent): QuestionAnswer {
  const isForSession = question.kind === "permission" && question.choices.includes("session");
  return { ...answer, ...(isForSession ? { remember: "session" } : {}) };
}

/** The session of a question: the first part of its id. */
export function sessionOfQuestion(questionID: string): string | undefined {
  const [encoded = "", id = ""] = String(questionID).split(".");
  if (!/^[\w-]+$/.test(encoded) || !/^[0-9a-f-]{36}$/.test(id)) return undefined;
  return Buffer.from(encoded, "base64url").toString();
}

function withdrawnBy(outcome: Exclude<QuestionOutcome, { kind: "answered" }>): Withdrawal {
  return { allowed: outcome.kind === "allowed", withdrawn: true, reason: `${whyWithdrawn(outcome)}.` };
}

function whyWithdrawn(outcome: Exclude<QuestionOutcome, { kind: "answered" }>): string {
  switch (outcome.kind) {
    case "allowed":
      return "Another answer allows it";
    case "cancelled":
      return CALL_ENDED.slice(0, -1);
    case "dismissed":
      return "The tool no longer waits for an answer";
    case "unasked":
      return "No person can be asked here";
    case "failed":
      return outcome.what;
  }
}

/** The part of an answer in the log that fits the question. */
function fitting({ allowed, remember, reason, value }: QuestionAnswer, question: QuestionAskedEvent): QuestionAnswer {
  const why = defined({ reason });
  const whole = { allowed, ...(remember ? { remember } : {}), ...why, ...defined({ value }) };
  try {
    assertFits(whole, question);
    return whole;
  } catch {
    return { allowed: allowed && question.kind === "permission", ...why };
  }
}

/** Stores the end of a question, after the question itself: a log that does not have the question would refuse its end. */
function storeEnd({ stored, call }: OpenQuestion, event: AnsweredEvent): Promise<void> | undefined {
  const { session } = call.scope;
  if (!stored) return session.record(toDurable(event));
  return stored.then((isStored) => (isStored ? session.record(toDurable(event)) : undefined));
}

/**
 * Stores the question in each session that waits for the call, for the call that waits there. A copy that cannot be stored is
 * left out: the question can still be answered in its own session.
 */
function copyQuestion({ above, event }: OpenQuestion): Promise<void> | undefined {
  const copies = above.flatMap(
    ({ context, scope }) => scope.session.record({ ...toDurable(event), callID: context.callID }) ?? [],
  );
  return copies.length === 0 ? undefined : Promise.allSettled(copies).then(() => {});
}

/** Closes the copies of a question. A session that has not got the question does not get the answer either. */
function copyAnswer(
  { above, copied }: OpenQuestion,
  event: AnsweredEvent,
  attempt: Attempt,
): Promise<void> | undefined {
  return copied?.then(async () => {
    await Promise.all(above.map(({ scope }) => attempt(() => scope.session.record(toDurable(event)))));
  });
}

/** The event as the log of its session stores it: the session is known there. */
function toDurable(event: QuestionAskedEvent): DurableEvent & { readonly type: "question.asked" };
function toDurable(event: AnsweredEvent): DurableEvent & { readonly type: "question.answered" };
function toDurable(event: QuestionEvent): DurableEvent & { readonly type: QuestionEvent["type"] } {
  if (event.type === "question.asked") {
    const { sessionID: _, messageID: _message, parentID: _parent, at: _at, ...logged } = event;
    return logged;
  }
  const { type, questionID, withdrawn, allowed, remember, reason, value } = event;
  return {
    type,
    questionID,
    allowed,
    ...(withdrawn ? { withdrawn } : {}),
    ...defined({ remember, reason, value }),
  };
}
