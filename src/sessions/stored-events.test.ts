import { describe, expect, it, onTestFinished } from "vitest";
import { random } from "../../test/support/random.ts";
import type { DurableEvent, StoredEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { MessageEntries, readMessages } from "./message-entries.ts";
import { createMemoryStore } from "./store/memory-store.ts";
import { lastEvents, positionBefore, storedEvents } from "./stored-events.ts";
import { undeliveredPrompts } from "./undelivered-prompts.ts";

const text = (value: string) => [{ type: "text", text: value } as const];

/** Turns of which some are interrupted, calls of users between them, and other events. */
function randomLog(seed: number, count: number): DurableEvent[] {
  const chance = random(seed);
  let id = 0;
  const kinds: readonly (readonly [number, () => DurableEvent])[] = [
    [0.2, () => ({ type: "message.user", messageID: `u${++id}`, content: text(`Prompt ${id}`) })],
    [0.3, () => ({ type: "message.complete", messageID: `a${++id}`, content: text("answer ".repeat(50)) })],
    [
      0.4,
      () => ({
        type: "tool.start",
        callID: `c${++id}`,
        tool: "t",
        messageID: `a${id}`,
        input: {},
        agent: chance() < 0.5 ? "" : "a",
      }),
    ],
    [0.5, () => ({ type: "session.interrupted", reason: "gone", calls: [], questions: [] })],
    [0.6, () => ({ type: "session.idle" })],
    [1, () => ({ type: "usage" })],
  ];
  return Array.from({ length: count }, () => {
    const at = chance();
    return (kinds.find(([limit]) => at < limit) ?? kinds[0])?.[1]() as DurableEvent;
  });
}

async function withLog(events: readonly DurableEvent[]): Promise<SessionStore> {
  const store = createMemoryStore({ project: "/p" });
  onTestFinished(() => store.close());
  await store.create({ id: "s", directory: "/p" });
  await store.append("s", events);
  return store;
}

describe("[S2] the last events of a log", () => {
  it("are all of them in order, if they are not enough", async () => {
    const store = await withLog(randomLog(1, 2_345));
    const positions = async (before?: number): Promise<readonly number[]> => {
      const events = await lastEvents(store, "s", before === undefined ? {} : { before }, () => false);
      return events.map(({ position }) => position);
    };
    expect(await positions()).toEqual(Array.from({ length: 2_346 }, (_, at) => at + 1));
    expect(await positions(777)).toEqual(Array.from({ length: 777 }, (_, at) => at + 1));
    expect(await positions(0)).toEqual([]);
    const users = await lastEvents(store, "s", { types: ["message.user"] }, (events) => events.length >= 5);
    expect(users.length).toBeGreaterThanOrEqual(5);
    const all: StoredEvent[] = [];
    for await (const event of storedEvents(store, "s", ["message.user"])) all.push(event);
    expect(users).toEqual(all.slice(-users.length));
  });

  it("are at most 20,000", async () => {
    const store = await withLog(Array.from({ length: 30_000 }, () => ({ type: "usage" })));
    const events = await lastEvents(store, "s", {}, () => false);
    expect([events.length, events[0]?.position]).toEqual([20_000, 10_002]);
  });

  it("have the messages and the undelivered prompts of the whole log", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const store = await withLog(randomLog(seed, 1_500));
      const whole = new MessageEntries();
      for await (const event of storedEvents(store, "s")) whole.add(event);
      expect((await readMessages(store, "s")).entries).toEqual(whole.entries);
      for (const before of [1_400, 1_401, 1_402, 1_403, 1_450]) {
        expect(await undeliveredPrompts(store, "s", before)).toEqual(await undeliveredInWhole(store, before));
      }
    }
  });
});

describe("[G4] the events from a message on", () => {
  it("begin with the last prompt before it, so that a summary of what came before has the rest", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const store = await withLog(randomLog(seed, 1_500));
      const all: StoredEvent[] = [];
      for await (const event of storedEvents(store, "s")) all.push(event);
      for (const event of all) {
        if (event.type !== "message.user" && event.type !== "message.complete") continue;
        if (event.position % 29 !== 0) continue;
        const prompt = all.findLast(({ type, position }) => type === "message.user" && position <= event.position);
        expect(await positionBefore(store, "s", event.messageID)).toBe((prompt?.position ?? 1) - 1);
      }
      expect(await positionBefore(store, "s", "unknown")).toBe(0);
      expect(await positionBefore(store, "none", "unknown")).toBe(0);
    }
  });
});

/** The same by reading from the first event on. */
async function undeliveredInWhole(store: SessionStore, before: number): Promise<readonly string[]> {
  let [undelivered, prompts] = [[] as string[], [] as string[]];
  for await (const event of storedEvents(store, "s")) {
    if (event.position > before) break;
    const isAnswer = event.type === "message.complete" || (event.type === "tool.start" && event.agent !== "");
    if (event.type === "message.user")
      prompts.push(...event.content.map((part) => (part.type === "text" ? part.text : "")));
    if (isAnswer && prompts.length > 0) undelivered = [];
    if (event.type === "session.interrupted") undelivered.push(...prompts);
    if (isAnswer || event.type === "session.interrupted" || event.type === "session.idle") prompts = [];
  }
  return undelivered;
}
