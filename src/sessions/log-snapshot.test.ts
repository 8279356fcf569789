import { describe, expect, it, onTestFinished } from "vitest";
import { random } from "../../test/support/random.ts";
import type { DurableEvent, SessionInfo } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { FoldedLog } from "./folded-log.ts";
import { FOLD, FoldedState, TASK_KEY } from "./folded-state.ts";
import { storeKept } from "./log-snapshot.ts";
import { createMemoryStore } from "./store/memory-store.ts";

const KEYS = Array.from({ length: 12 }, (_, at) => `k${at}`);
/** 25 of them are more than a session may store. */
const LARGE = "x".repeat(900_000);

/** A log with all kinds of events that change a state, and others. */
function randomLog(seed: number, count: number, hasLarge: boolean): DurableEvent[] {
  const chance = random(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T;
  const some = (value: unknown): object => (chance() < 0.8 ? { value } : {});
  const rules = (): unknown => pick([5, [{ tool: pick(KEYS), action: "allow" }], []]);
  const limits = (): unknown => pick([7, { agents: [pick(KEYS)], tools: [{ tools: [pick(KEYS)] }], denials: [] }]);
  const kinds: readonly (() => DurableEvent)[] = [
    () => ({ type: "usage" }),
    () => ({ type: "session.idle" }),
    () => ({ type: "message.user", messageID: "m", content: [] }),
    () => ({ type: "entry.added", entry: { id: `e${chance()}`, parentId: null, type: "custom", timestamp: "" } }),
    () => ({ type: "state.set", of: "tools", key: pick(KEYS), ...some(chance()) }),
    () => ({ type: "state.set", of: "tools", key: `large ${chance()}`, value: hasLarge ? LARGE : chance() }),
    () => ({ type: "state.set", of: "agent", key: pick([...KEYS, "session"]), ...some({ agent: pick(KEYS) }) }),
    () => ({ type: "state.set", of: "session", key: "title", value: pick([3, "a", "b"]) }),
    () => ({ type: "state.set", of: "session", key: "activeTools", value: pick([3, ["a"], ["b"]]) }),
    () => ({ type: "state.set", of: "session", key: "mode", value: pick([3, "plan", "acceptEdits"]) }),
    () => ({ type: "state.set", of: "session", key: "tools", ...some(pick([3, ["a"], ["b"]])) }),
    () => ({ type: "state.set", of: "session", key: "subAgent", value: limits() }),
    () => ({ type: "state.set", of: "session", key: "later version", value: chance() }),
    () => ({
      type: "state.set",
      of: "session",
      key: `${TASK_KEY}${pick(KEYS)}`,
      ...some(1),
      sessionID: pick(["s", "t"]),
    }),
    () => ({
      type: "state.set",
      of: "session",
      key: "grants",
      value: rules(),
      ...pick([{}, { sessionID: "s" }, { sessionID: "t" }]),
    }),
  ];
  const parent = chance() < 0.5 ? { parent: { sessionID: "p", callID: "c" } } : {};
  const start: DurableEvent = { type: "session.start", directory: "/p", title: "T", agent: "first", ...parent };
  return [start, ...Array.from({ length: count }, () => pick(kinds)())];
}

/** All that can be seen of a state. */
function seen(state: FoldedState): object {
  const { hasValues, activeTools, grants, mode, tools, limits, lacksLimits, hasMessages, agent, kept } = state;
  return {
    ...{ hasValues, activeTools, grants, mode, tools, limits, lacksLimits, hasMessages, agent, kept },
    values: KEYS.map((key) => [state.value(key), state.agentValue(key), state.delegatorOf(key)]),
    snapshot: state.snapshot("s", { state: {} }),
  };
}

function fold(events: readonly (readonly [number, DurableEvent])[], id: string, copiedTo: number): FoldedState {
  const state = new FoldedState(id);
  for (const [position, event] of events) state.apply(event, position <= copiedTo, position);
  return state;
}

describe("[S2] a state that is folded from the events that a snapshot keeps, and those after it", () => {
  it.each([
    [1_000, 5, false],
    [40, 300, false],
    [1, 400, true],
  ])("is that of the whole log: %i logs of %i events, at any cut, also of a branch", (logs, count, hasLarge) => {
    for (let seed = 1; seed <= logs; seed += 1) {
      const chance = random(seed * 7);
      const log = randomLog(seed, count, hasLarge).map((event, index) => [index + 1, event] as const);
      for (let cut = 1; cut <= log.length; cut += hasLarge ? 80 : 1 + Math.floor((chance() * count) / 15)) {
        const kept = new Set(fold(log.slice(0, cut), "s", 0).kept);
        const tail = log.filter(([position]) => kept.has(position) || position > cut);
        // The snapshot of a session is also that of its branches from there on.
        for (const [id, copiedTo] of [
          ["s", 0],
          ["branch", cut],
        ] as const) {
          expect([seed, cut, seen(fold(tail, id, copiedTo))]).toEqual([seed, cut, seen(fold(log, id, copiedTo))]);
        }
      }
    }
  });

  it("keeps few events of a long log", () => {
    const log = randomLog(1, 20_000, false).filter(({ type }) => type !== "entry.added");
    const events = log.filter((event) => event.type !== "state.set" || !event.key.startsWith("large"));
    const state = fold(
      events.map((event, index) => [index + 1, event] as const),
      "s",
      0,
    );
    expect(state.kept.length).toBeLessThan(100);
  });
});

describe("[S2] the snapshot of a stored session", () => {
  async function withLog(): Promise<{ store: SessionStore; info: SessionInfo; reads: string[] }> {
    const memory = createMemoryStore({ project: "/p" });
    onTestFinished(() => memory.close());
    await memory.create({ id: "s", directory: "/p", title: "T", agent: "first" });
    await memory.append("s", randomLog(3, 2_000, false).slice(1));
    const reads: string[] = [];
    const store: SessionStore = Object.create(memory, {
      read: {
        value: (...parameters: Parameters<SessionStore["read"]>) => {
          reads.push(`after ${parameters[1]}`);
          return memory.read(...parameters);
        },
      },
    });
    for (const name of ["snapshot", "readAt", "storeSnapshot", "get", "append", "branch", "create", "remove"] as const)
      Object.defineProperty(store, name, { value: (memory[name] as () => unknown).bind(memory), writable: true });
    return { store, info: (await memory.get("s")) as SessionInfo, reads };
  }

  async function folded(store: SessionStore, { id, position, branchOf }: SessionInfo): Promise<FoldedState> {
    const state = new FoldedState(id);
    const log = new FoldedLog(store, id, (...event) => state.apply(...event));
    log.copiedTo = branchOf?.position ?? 0;
    await log.foldTo(position);
    return state;
  }

  it("saves reading the events before it, also those of a branch", async () => {
    const { store, info, reads } = await withLog();
    const whole = await folded(store, info);
    expect(reads).toContain("after 0");
    storeKept(store, info, { position: info.position, kept: whole.kept });
    await store.append("s", [{ type: "state.set", of: "tools", key: "k1", value: "new" }]);
    const longer = (await store.get("s")) as SessionInfo;
    reads.splice(0);
    const state = await folded(store, longer);
    expect(reads[0]).toBe(`after ${info.position}`);
    expect(state.value("k1")).toBe("new");
    const plain: SessionStore = Object.create(store, { snapshot: { value: undefined } });
    expect(seen(state)).toEqual(seen(await folded(plain, longer)));
    const branch = await store.branch("s", longer.position, { id: "b" });
    reads.splice(0);
    const ofBranch = seen(await folded(store, branch));
    expect(reads[0]).toBe(`after ${info.position}`);
    expect(ofBranch).toEqual(seen(await folded(plain, branch)));
    const shorter = await store.branch("s", info.position - 1, { id: "b2" });
    expect(seen(await folded(store, shorter))).toEqual(seen(await folded(plain, shorter)));
  });

  it.each<[string, unknown]>([
    ["is missing", undefined],
    ["is no object", "snapshot"],
    ["is of another version", { fold: FOLD + 1, position: 5, kept: [1, 2] }],
    ["has no positions", { fold: FOLD, position: 5 }],
    ["has a position that is no number", { fold: FOLD, position: "5", kept: [1] }],
    ["does not have the first event", { fold: FOLD, position: 5, kept: [2] }],
    ["names events twice", { fold: FOLD, position: 5, kept: [1, 1] }],
    ["names events in another order", { fold: FOLD, position: 5, kept: [1, 3, 2] }],
    ["names events after its position", { fold: FOLD, position: 5, kept: [1, 6] }],
    [
      "names events that do not change a state",
      { fold: FOLD, position: 2_000, kept: Array.from({ length: 2_000 }, (_, at) => at + 1) },
    ],
    ["is of a longer log", { fold: FOLD, position: 100_000, kept: [1, 2] }],
    ["names what is no position", { fold: FOLD, position: 5, kept: [1, 1.5, null] }],
  ])("is ignored if it %s", async (_, snapshot) => {
    const { store, info } = await withLog();
    const plain: SessionStore = Object.create(store, { snapshot: { value: undefined } });
    const spoilt: SessionStore = Object.create(store, { snapshot: { value: async () => snapshot } });
    expect(seen(await folded(spoilt, info))).toEqual(seen(await folded(plain, info)));
  });

  it("is ignored if it cannot be read", async () => {
    const { store, info } = await withLog();
    const whole = seen(await folded(store, info));
    const fail = { value: async () => Promise.reject(new Error("It cannot be read.")) };
    const broken: SessionStore = Object.create(store, { snapshot: fail });
    expect(seen(await folded(broken, info))).toEqual(whole);
    const partly: SessionStore = Object.create(store, { readAt: { value: async () => [] } });
    storeKept(store, info, { position: info.position, kept: [1] });
    expect(seen(await folded(partly, info))).toEqual(whole);
  });
});
