import { describe, expect, it } from "vitest";
import { AnnouncedCalls } from "./announced-calls.ts";

const announced = (callID: string, input?: unknown) => ({ callID, messageID: "m", name: "read", input });

/** Announcements are texts with an id, arriving calls have the id of the announcement that they belong to, or undefined. */
type Step =
  | { readonly announce: string; readonly input?: unknown; readonly name?: string }
  | { readonly withdraw: string }
  | {
      readonly call: unknown;
      readonly gets: string | undefined;
      readonly callID?: string;
      /** Whether it must wait until the end of the time. */
      readonly late?: true;
    };

const [A, B] = [{ path: "a" }, { path: "b" }];

function deep(): unknown {
  let value: unknown = "end";
  for (let depth = 0; depth < 20_000; depth += 1) value = { value };
  return value;
}

/** Steps happen one after the other. No call waits for the next step. */
const CASES: readonly { readonly name: string; readonly steps: readonly Step[]; readonly hidesInput?: true }[] = [
  {
    name: "two inputs, announced first, in order",
    steps: [
      { announce: "a", input: A },
      { announce: "b", input: B },
      { call: A, gets: "a" },
      { call: B, gets: "b" },
    ],
  },
  {
    name: "two inputs, announced first, reversed arrival",
    steps: [
      { announce: "a", input: A },
      { announce: "b", input: B },
      { call: B, gets: "b" },
      { call: A, gets: "a" },
    ],
  },
  {
    name: "two inputs, announced after the calls, reversed",
    steps: [
      { call: A, gets: "a" },
      { call: B, gets: "b" },
      { announce: "b", input: B },
      { announce: "a", input: A },
    ],
  },
  {
    name: "the same input twice, each id once",
    steps: [
      { announce: "a", input: A },
      { announce: "b", input: A },
      { call: A, gets: "a" },
      { call: A, gets: "b" },
    ],
  },
  {
    name: "the same input twice, one announced late",
    steps: [
      { announce: "a", input: A },
      { call: A, gets: "a" },
      { call: A, gets: "b" },
      { announce: "b", input: A },
    ],
  },
  {
    name: "the announcement of one comes late, the other has another input",
    steps: [
      { announce: "a", input: A },
      { call: B, gets: "b" },
      { call: A, gets: "a" },
      { announce: "b", input: B },
    ],
  },
  {
    name: "announced without input first, then with it, before the calls",
    steps: [
      { announce: "a" },
      { announce: "b" },
      { announce: "b", input: B },
      { announce: "a", input: A },
      { call: B, gets: "b" },
      { call: A, gets: "a" },
    ],
  },
  {
    name: "announced without input first, the calls arrive reversed before the inputs",
    steps: [
      { announce: "a" },
      { announce: "b" },
      { call: B, gets: "b" },
      { call: A, gets: "a" },
      { announce: "a", input: A },
      { announce: "b", input: B },
    ],
  },
  {
    name: "calls first, then announced without input, then with it, reversed",
    steps: [
      { call: A, gets: "a" },
      { call: B, gets: "b" },
      { announce: "b" },
      { announce: "a" },
      { announce: "b", input: B },
      { announce: "a", input: A },
    ],
  },
  {
    name: "announced with an empty input that grows",
    steps: [
      { announce: "a", input: {} },
      { announce: "b", input: {} },
      { call: B, gets: "b" },
      { call: A, gets: "a" },
      { announce: "a", input: A },
      { announce: "b", input: B },
    ],
  },
  {
    name: "one is announced without input, the other only later",
    steps: [
      { announce: "a" },
      { call: B, gets: "b" },
      { announce: "b", input: B },
      { announce: "a", input: A },
      { call: A, gets: "a" },
    ],
  },
  {
    name: "one refused by the agent before it was sent, then the same again",
    steps: [{ announce: "a", input: A }, { withdraw: "a" }, { announce: "b", input: A }, { call: A, gets: "b" }],
  },
  {
    name: "one of two refused by the agent, without inputs",
    steps: [{ announce: "a" }, { announce: "b" }, { withdraw: "a" }, { call: A, gets: "b", late: true }],
  },
  {
    name: "refused, and none announced for the call that arrives",
    steps: [{ announce: "a", input: A }, { withdraw: "a" }, { call: A, gets: undefined, late: true }],
  },
  {
    name: "by id, although name and input say otherwise",
    steps: [
      { announce: "a", input: A },
      { announce: "b", input: A },
      { call: A, callID: "b", gets: "b" },
      { call: A, callID: "a", gets: "a" },
    ],
  },
  {
    name: "by id, announced late, beside another announcement of the same tool and input",
    steps: [
      { announce: "a", input: A },
      { call: A, callID: "b", gets: "b" },
      { announce: "b", input: A },
      { call: A, gets: "a" },
    ],
  },
  {
    name: "a call with an id that is never announced gets no id of another call",
    steps: [
      { announce: "a", input: A },
      { announce: "c" },
      { call: A, callID: "b", gets: undefined, late: true },
      { call: A, gets: "a" },
    ],
  },
  {
    name: "another input than announced: only after the wait, and not that of a call that waits too",
    steps: [
      { announce: "a", input: { path: "./a" } },
      { call: A, gets: "a", late: true },
      { call: B, gets: "b" },
      { announce: "b", input: B },
    ],
  },
  {
    name: "two other inputs than announced: in order",
    steps: [
      { announce: "a", input: { path: "./a" } },
      { announce: "b", input: { path: "./b" } },
      { call: A, gets: "a", late: true },
      { call: B, gets: "b", late: true },
    ],
  },
  {
    name: "other tools do not count",
    steps: [
      { announce: "other", name: "write", input: A },
      { call: A, gets: "a" },
      { announce: "a", input: A },
    ],
  },
  {
    name: "keys in another order, nested",
    steps: [
      { announce: "a", input: { x: 1, y: { p: [{ k: 1, l: 2 }], q: 2 } } },
      { announce: "b", input: { x: 1, y: { p: [{ k: 1, l: 3 }], q: 2 } } },
      { call: { y: { q: 2, p: [{ l: 3, k: 1 }] }, x: 1 }, gets: "b" },
      { call: { y: { q: 2, p: [{ l: 2, k: 1 }] }, x: 1 }, gets: "a" },
    ],
  },
  {
    name: "input as JSON text, and as an object without prototype",
    steps: [
      { announce: "a", input: '{ "path": "a" }' },
      { announce: "b", input: Object.assign(Object.create(null), B) },
      { call: B, gets: "b" },
      { call: A, gets: "a" },
    ],
  },
  {
    name: "no input is an empty one",
    steps: [{ announce: "a" }, { announce: "b", input: null }, { call: {}, gets: "a" }, { call: undefined, gets: "b" }],
  },
  {
    name: "a call without arguments beside one whose input is not yet known",
    steps: [
      { announce: "a" },
      { announce: "b" },
      { call: {}, gets: "b" },
      { announce: "a", input: A },
      { call: A, gets: "a" },
      { announce: "b", input: {} },
    ],
  },
  {
    name: "a call without arguments beside one whose input is empty at first",
    steps: [
      { announce: "a", input: {} },
      { announce: "b", input: {} },
      { call: {}, gets: "b" },
      { call: A, gets: "a" },
      { announce: "a", input: A },
    ],
  },
  {
    name: "a call without arguments: at once, if no other is announced",
    steps: [{ announce: "a" }, { call: {}, gets: "a" }, { announce: "b", input: {} }, { call: {}, gets: "b" }],
  },
  {
    name: "two calls without arguments: in order, at once",
    steps: [
      { announce: "a", input: {} },
      { call: {}, gets: "a" },
      { call: {}, gets: "b" },
      { announce: "b", input: {} },
    ],
  },
  {
    name: "two calls without arguments, of which one is refused",
    steps: [{ announce: "a" }, { announce: "b" }, { call: {}, gets: "b" }, { withdraw: "a" }],
  },
  {
    name: "an input that is nested very deeply",
    steps: [
      { announce: "a", input: deep() },
      { announce: "b", input: B },
      { call: B, gets: "b" },
      { call: deep(), gets: "a" },
    ],
  },
  {
    name: "an agent that never tells inputs: in order, at once",
    hidesInput: true,
    steps: [
      { announce: "a" },
      { announce: "b" },
      { call: A, gets: "a" },
      { call: B, gets: "b" },
      { call: B, gets: "c" },
      { call: A, gets: "d" },
      { announce: "c" },
      { announce: "d" },
    ],
  },
];

describe("[G5] the ids of calls that an agent announces", () => {
  it.each(CASES)("$name", async ({ steps, hidesInput }) => {
    const isLate = steps.some((step) => "late" in step);
    const calls = new AnnouncedCalls(isLate ? 20 : 60_000, { tellsInput: !hidesInput });
    const taken: Promise<string | undefined>[] = [];
    for (const step of steps) {
      if ("announce" in step) calls.announce({ ...announced(step.announce, step.input), name: step.name ?? "read" });
      else if ("withdraw" in step) calls.withdraw(step.withdraw);
      else {
        const id = step.callID === undefined ? {} : { callID: step.callID };
        taken.push(calls.take({ name: "read", input: step.call, ...id }).then((found) => found?.callID));
      }
    }
    const expected = steps.flatMap((step) => ("gets" in step ? [step.gets] : []));
    expect(await Promise.all(taken)).toEqual(expected);
    for (const id of expected) if (id !== undefined) expect(calls.isTaken(id)).toBe(true);
  });

  it("are not given again when the agent repeats an announcement", async () => {
    const calls = new AnnouncedCalls(10);
    calls.announce(announced("one", {}));
    await calls.take({ name: "read", input: {} });
    calls.announce(announced("one", {}));
    expect(await calls.take({ name: "read", input: {} })).toBeUndefined();
  });

  it("are no longer waited for at the end of a turn", async () => {
    const calls = new AnnouncedCalls(60_000);
    const waiting = calls.take({ name: "read", input: {} });
    calls.clear();
    expect(await waiting).toBeUndefined();
  });
});
