import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FollowedEvent, SessionInfo, StoredEvent } from "../../src/core/session-log.ts";
import { type NewEvent, SessionError, type SessionStore } from "../../src/core/session-store.ts";
import { firstInfo, infoAfter } from "../../src/sessions/log/session-info.ts";
import { positionsOf, range, unfinishedOf } from "./followed.ts";
import type { OpenStore } from "./opened-store.ts";

const IDS = ["a", "b", "c"] as const;
type ID = (typeof IDS)[number];
/** The mark of `session.interrupted`. */
const INTERRUPTED = "interrupted";

/** How a reader takes its events, and when it ends by itself. */
interface ReaderPlan {
  readonly pauseEvery: number;
  /** The length of a pause in turns of the event loop. */
  readonly pauseTurns: number;
  readonly stopAfter: number | undefined;
  readonly stopBy: "abort" | "break";
}

/** One step. `handle` is the store that it uses, if there are two on the same data. A `share` is a part of the log, from 0 to 1. */
type Step = { readonly id: ID; readonly handle: number } & (
  | { readonly type: "append"; readonly count: number; readonly expected: "none" | "right" | "wrong" }
  | { readonly type: "follow"; readonly share: number; readonly plan: ReaderPlan }
  | { readonly type: "stop"; readonly which: number }
  | { readonly type: "delta" | "complete" | "update" | "finish" | "idle" | "remove" }
  | { readonly type: "branch"; readonly share: number; readonly to: ID }
  | { readonly type: "pause"; readonly turns: number }
);

/**
 * Runs generated steps against a store and a model of it. Appends are not awaited, so that they overlap with readers, branches and
 * removals. A failure names its seed; `SEED=1 npm test -- FILE` repeats the run and shortens the list of steps.
 */
export function describeInterleavings(name: string, open: OpenStore, runs: number): void {
  describe(`${name}: generated interleavings`, () => {
    it(
      `agrees with a model in ${runs} runs`,
      async () => {
        await check(runs, async (steps) => {
          const { store, dispose } = await open();
          await runSteps([store], steps).finally(dispose);
        });
      },
      timeoutOf(runs),
    );
  });
}

/** As `describeInterleavings`, with two stores on the same data. Appends are awaited: the order between two stores is not promised. */
export function describeSharedInterleavings(name: string, open: OpenStore, runs: number): void {
  describe(`${name}: generated interleavings of two stores on the same data`, () => {
    it(
      `agrees with a model in ${runs} runs`,
      async () => {
        await check(runs, async (steps) => {
          const { store, openAnother, dispose } = await open();
          const run = async (): Promise<void> =>
            runSteps([store, await (openAnother as () => Promise<SessionStore>)()], steps);
          await run().finally(dispose);
        });
      },
      timeoutOf(runs),
    );
  });
}

function timeoutOf(runs: number): number {
  return 60_000 + runs * 1_000;
}

async function check(runs: number, run: (steps: readonly Step[]) => Promise<void>): Promise<void> {
  const seed = process.env.SEED;
  const property = fc.asyncProperty(fc.array(stepArbitrary, { minLength: 5, maxLength: 60, size: "max" }), run);
  await fc.assert(property, {
    numRuns: runs,
    ...(seed === undefined ? { endOnFailure: true } : { seed: Number(seed) }),
  });
}

const share = fc.constantFrom(0, 0.3, 0.7, 1, 1);
const plan: fc.Arbitrary<ReaderPlan> = fc.record({
  pauseEvery: fc.constantFrom(1, 3, 1_000),
  pauseTurns: fc.constantFrom(1, 20),
  stopAfter: fc.constantFrom(undefined, undefined, 1, 5, 40),
  stopBy: fc.constantFrom("abort", "break"),
});
const stepArbitrary: fc.Arbitrary<Step> = fc
  .tuple(
    fc.record({ id: fc.constantFrom(...IDS), handle: fc.nat(1) }),
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          type: fc.constant("append" as const),
          count: fc.constantFrom(0, 1, 1, 2, 5, 130),
          expected: fc.constantFrom("none", "none", "right", "wrong"),
        }),
      },
      { weight: 5, arbitrary: fc.record({ type: fc.constant("follow" as const), share, plan }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("stop" as const), which: fc.nat(20) }) },
      { weight: 8, arbitrary: fc.record({ type: fc.constantFrom("delta" as const, "update" as const) }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("complete" as const, "finish" as const) }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constantFrom("idle" as const, "remove" as const) }) },
      { weight: 2, arbitrary: fc.record({ type: fc.constant("branch" as const), share, to: fc.constantFrom(...IDS) }) },
      { weight: 5, arbitrary: fc.record({ type: fc.constant("pause" as const), turns: fc.nat(3) }) },
    ),
  )
  .map(([where, what]) => ({ ...where, ...what }) as Step);

async function runSteps(stores: readonly SessionStore[], steps: readonly Step[]): Promise<void> {
  const run = new ModelRun(stores);
  for (const step of steps) await run.step(step);
  await run.finish();
}

/** What a session must contain. A removed and newly created session is another one. */
interface ModelSession {
  readonly id: ID;
  /** The marks of its events, by position; the first belongs to `session.start`. */
  readonly marks: (string | undefined)[];
  /** The position that is certainly stored. */
  acknowledged: number;
  /** Appends that have not settled yet. */
  readonly pending: Set<Promise<void>>;
  isRemoved: boolean;
  readonly texts: Map<string, string>;
  readonly titles: Map<string, string>;
  /** The full texts of completed messages. */
  readonly completed: Map<string, string>;
}

interface ModelReader {
  readonly session: ModelSession;
  readonly handle: number;
  readonly after: number;
  readonly events: FollowedEvent[];
  readonly controller: AbortController;
  readonly plan: ReaderPlan;
  outcome: "open" | "done" | { readonly error: unknown };
}

class ModelRun {
  readonly #stores: readonly SessionStore[];
  readonly #sessions = new Map<ID, ModelSession>();
  readonly #readers: ModelReader[] = [];
  #marks = 0;

  constructor(stores: readonly SessionStore[]) {
    this.#stores = stores;
  }

  async step(step: Step): Promise<void> {
    if (step.type === "pause") return pause(step.turns);
    if (step.type === "stop") return this.#readers[step.which]?.controller.abort();
    const store = this.#stores[step.handle % this.#stores.length] as SessionStore;
    const session = this.#sessions.get(step.id) ?? (await this.#create(store, step.id));
    switch (step.type) {
      case "append":
        return this.#append(store, session, this.#usages(step.count), step.expected);
      case "follow":
        return this.#follow(store, step.handle, session, Math.floor(session.acknowledged * step.share), step.plan);
      case "branch":
        return this.#branch(store, session, step.share, step.to);
      case "remove":
        return this.#remove(store, session);
      default:
        return this.#stream(session, step.type);
    }
  }

  async #create(store: SessionStore, id: ID): Promise<ModelSession> {
    const { position } = await store.create({ id, directory: "/p" });
    expect(position).toBe(1);
    return this.#add(id, [undefined]);
  }

  #add(id: ID, marks: (string | undefined)[]): ModelSession {
    const session: ModelSession = {
      id,
      marks,
      acknowledged: marks.length,
      pending: new Set(),
      isRemoved: false,
      texts: new Map(),
      titles: new Map(),
      completed: new Map(),
    };
    this.#sessions.set(id, session);
    return session;
  }

  #usages(count: number): NewEvent[] {
    return range(1, count).map(() => ({ type: "usage", model: this.#mark() }));
  }

  #mark(): string {
    this.#marks += 1;
    return `mark ${this.#marks}`;
  }

  /** Appends of one store are stored in the order of the calls, so their outcome is known before they settle. */
  async #append(
    store: SessionStore,
    session: ModelSession,
    events: readonly NewEvent[],
    expecting: "none" | "right" | "wrong" = "none",
  ): Promise<void> {
    const before = session.marks.length;
    const expected = { none: undefined, right: before, wrong: before + 1 }[expecting];
    const outcome = store.append(session.id, events, expected === undefined ? {} : { expected });
    if (expecting !== "wrong") for (const event of events) session.marks.push(markOf(event));
    const position = session.marks.length;
    const settled = outcome.then(
      (actual) => {
        expect(expecting).not.toBe("wrong");
        expect(actual).toBe(position);
        session.acknowledged = Math.max(session.acknowledged, actual);
      },
      (error: unknown) => {
        if (session.isRemoved && codeOf(error) === "session_not_found") return;
        if (expecting !== "wrong" || codeOf(error) !== "conflict") throw error;
      },
    );
    const pending = settled.finally(() => session.pending.delete(pending));
    session.pending.add(pending);
    pending.catch(() => {});
    if (this.#stores.length > 1) await pending;
  }

  #follow(store: SessionStore, handle: number, session: ModelSession, after: number, plan: ReaderPlan): void {
    const controller = new AbortController();
    const reader: ModelReader = { session, handle, after, events: [], controller, plan, outcome: "open" };
    read(store, reader).then(
      () => {
        reader.outcome = "done";
      },
      (error: unknown) => {
        reader.outcome = { error };
      },
    );
    this.#readers.push(reader);
  }

  async #branch(store: SessionStore, source: ModelSession, part: number, to: ID): Promise<void> {
    const at = Math.max(1, Math.floor(source.acknowledged * part));
    const outcome = store.branch(source.id, at, { id: to });
    if (this.#sessions.has(to)) return expect(outcome).rejects.toMatchObject({ code: "session_exists" });
    const marks = source.marks.slice(0, at);
    // A call does not run in the branch: `session.interrupted` follows.
    if (hasOpenCall(marks)) marks.push(INTERRUPTED);
    const { position, branchOf } = await outcome;
    expect({ position, branchOf }).toEqual({
      position: marks.length,
      branchOf: { sessionID: source.id, position: at },
    });
    this.#add(to, marks);
  }

  /** Appends in progress may still be stored, or find the session removed. */
  async #remove(store: SessionStore, session: ModelSession): Promise<void> {
    session.isRemoved = true;
    this.#sessions.delete(session.id);
    await store.remove(session.id);
    await Promise.all(session.pending);
  }

  /** Live events always come from the first store, and completions too, as from the process that runs a session. */
  async #stream(session: ModelSession, type: "delta" | "complete" | "update" | "finish" | "idle"): Promise<void> {
    const store = this.#stores[0] as SessionStore;
    const messageID = session.texts.keys().next().value ?? this.#mark();
    const callID = session.titles.keys().next().value ?? this.#mark();
    const call = { callID, tool: "hello", messageID: "m", agent: "a" };
    const text = session.texts.get(messageID) ?? "";
    switch (type) {
      case "delta": {
        const added = `${text.length},`;
        session.texts.set(messageID, text + added);
        return store.publish(session.id, { type: "message.delta", messageID, text: added });
      }
      case "update": {
        const title = this.#mark();
        if (!session.titles.has(callID))
          await this.#append(store, session, [{ type: "tool.start", ...call, input: {} }]);
        session.titles.set(callID, title);
        return store.publish(session.id, { type: "tool.update", ...call, title });
      }
      case "complete":
        session.completed.set(messageID, text);
        session.texts.delete(messageID);
        return this.#append(store, session, [{ type: "message.complete", messageID, content: [] }]);
      case "finish": {
        session.titles.delete(callID);
        const result = { ok: true, output: "", content: [], notes: { durationMs: 1 } } as const;
        return this.#append(store, session, [{ type: "tool.complete", ...call, result }]);
      }
      case "idle":
        session.texts.clear();
        await this.#append(store, session, [{ type: "session.idle" }]);
        await Promise.all(session.pending);
    }
  }

  async finish(): Promise<void> {
    for (const session of this.#sessions.values()) await Promise.all(session.pending);
    for (const session of this.#sessions.values()) for (const store of this.#stores) await checkSession(store, session);
    for (const store of this.#stores) {
      const { sessions } = await store.list();
      expect(sessions.map(({ id }) => id).sort()).toEqual([...this.#sessions.keys()].sort());
    }
    for (const reader of this.#readers) await this.#checkReader(reader);
    for (const { controller } of this.#readers) controller.abort();
    for (const reader of this.#readers) {
      await until(() => reader.outcome !== "open");
      expect(reader.outcome === "open" ? describeReader(reader) : "ended").toBe("ended");
    }
  }

  async #checkReader(reader: ModelReader): Promise<void> {
    const { session, after, events, plan, controller } = reader;
    const isStopped = (): boolean =>
      controller.signal.aborted || events.length >= (plan.stopAfter ?? Number.POSITIVE_INFINITY);
    const hasAll = (): boolean =>
      (positionsOf(events).at(-1) ?? after) === session.marks.length && isUpToDate(session, events);
    if (session.isRemoved) {
      await until(() => reader.outcome !== "open");
      if (!isStopped()) expect(codeOf((reader.outcome as { error?: unknown }).error)).toBe("session_removed");
    } else {
      await until(() => hasAll() || isStopped() || reader.outcome !== "open");
      if (isStopped()) await until(() => reader.outcome !== "open");
      else expect(hasAll() ? "all events" : describeReader(reader)).toBe("all events");
      if (isStopped()) expect(reader.outcome).toBe("done");
    }
    const positions = positionsOf(events);
    expect(positions).toEqual(range(after + 1, after + positions.length));
    checkMarks(session, events);
    checkTexts(session, events, this.#stores.length > 1 && reader.handle % this.#stores.length !== 0);
    expect(events.filter(({ type }) => type === "session.partial").length).toBeLessThanOrEqual(1);
  }
}

/** What a failed test shows. */
function describeReader({ outcome, session, events, after, handle }: ModelReader): string {
  const last = positionsOf(events).at(-1) ?? after;
  const { texts, titles } = unfinishedOf(events);
  const actual = { last, texts: [...texts], titles: [...titles] };
  const expected = { last: session.marks.length, texts: [...session.texts], titles: [...session.titles] };
  return JSON.stringify({ id: session.id, handle, after, outcome, actual, expected });
}

async function read(store: SessionStore, { session, after, events, controller, plan }: ModelReader): Promise<void> {
  for await (const event of store.follow(session.id, after, controller.signal)) {
    events.push(event);
    if (events.length === plan.stopAfter) {
      if (plan.stopBy === "break") break;
      controller.abort();
    }
    if (events.length % plan.pauseEvery === 0) await pause(plan.pauseTurns);
  }
}

async function checkSession(store: SessionStore, session: ModelSession): Promise<void> {
  const events = await readAll(store, session.id);
  expect(positionsOf(events)).toEqual(range(1, session.marks.length));
  checkMarks(session, events);
  const info = (await store.get(session.id)) as SessionInfo;
  const [start, ...others] = events as [StoredEvent & { type: "session.start" }, ...StoredEvent[]];
  const { createdAt, updatedAt, branchOf, ...folded } = others.reduce(infoAfter, firstInfo(info, start));
  expect(info).toMatchObject(folded);
}

async function readAll(store: SessionStore, id: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await store.read(id, events.length, 50);
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** Each event is the one that was appended at its position. */
function checkMarks(session: ModelSession, events: readonly FollowedEvent[]): void {
  for (const event of events)
    if ("position" in event)
      expect([event.position, markOf(event)]).toEqual([event.position, session.marks[event.position - 1]]);
}

function markOf(event: NewEvent): string | undefined {
  if (event.type === "usage") return event.model;
  if (event.type === "message.complete") return event.messageID;
  if (event.type === "session.interrupted") return INTERRUPTED;
  if (event.type === "tool.start") return `start ${event.callID}`;
  return event.type === "tool.complete" ? `end ${event.callID}` : undefined;
}

/** An interruption ends all calls before it: the session may be a branch of a branch. */
function hasOpenCall(marks: readonly (string | undefined)[]): boolean {
  const since = marks.slice(marks.lastIndexOf(INTERRUPTED) + 1);
  return since.some((mark) => mark?.startsWith("start ") && !since.includes(mark.replace("start", "end")));
}

/** A reader that got a part of a message has got all of it when it is completed. A reader of another store may miss the end. */
function checkTexts(session: ModelSession, events: readonly FollowedEvent[], mayMissEnd: boolean): void {
  for (const [index, event] of events.entries()) {
    if (event.type !== "message.complete") continue;
    const text = unfinishedOf(events.slice(0, index)).texts.get(event.messageID);
    const full = session.completed.get(event.messageID) ?? "";
    if (text === undefined) continue;
    if (mayMissEnd) expect(full.startsWith(text)).toBe(true);
    else expect(text).toBe(full);
  }
}

function isUpToDate({ texts, titles }: ModelSession, events: readonly FollowedEvent[]): boolean {
  const actual = unfinishedOf(events);
  const isSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
    a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
  return isSame(texts, actual.texts) && isSame(titles, actual.titles);
}

function codeOf(error: unknown): string {
  return SessionError.is(error) ? error.code : String(error);
}

async function pause(turns: number): Promise<void> {
  for (let count = 0; count < 5; count += 1) await Promise.resolve();
  for (let count = 0; count < turns; count += 1) await turn();
}

/** Gives up after ten seconds. */
async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!condition() && performance.now() < end) await turn();
}
