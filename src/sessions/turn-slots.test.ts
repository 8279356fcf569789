import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { TurnSlots } from "./turn-slots.ts";

/** Turns that run until they are ended by name. */
function turns(max: number): {
  readonly slots: TurnSlots;
  readonly begun: string[];
  begin(name: string): void;
  end(name: string): Promise<void>;
} {
  const slots = new TurnSlots(() => max);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    slots,
    begun,
    begin(name) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      void slots.run(name, new AbortController().signal, () => {
        begun.push(name);
        return promise;
      });
    },
    async end(name) {
      ends.get(name)?.();
      await nextTurn();
    },
  };
}

describe("[S3] a turn that waits for a person", () => {
  it("lets the next one begin, and goes on at once", async () => {
    const { slots, begun, begin, end } = turns(1);
    begin("a");
    begin("b");
    begin("c");
    expect(begun).toEqual(["a"]);
    const goOn = slots.pause("a");
    await nextTurn();
    expect(begun).toEqual(["a", "b"]);
    goOn();
    await end("b");
    expect(begun).toEqual(["a", "b"]);
    await end("a");
    expect(begun).toEqual(["a", "b", "c"]);
  });

  it("counts again after its last question, also if it ended with open ones", async () => {
    const { slots, begun, begin, end } = turns(1);
    begin("a");
    const [first, second] = [slots.pause("a"), slots.pause("a")];
    first();
    begin("b");
    expect(begun).toEqual(["a", "b"]);
    await end("a");
    begin("a");
    second();
    expect(slots.waiting).toEqual(["a"]);
    await end("b");
    begin("c");
    expect(slots.waiting).toEqual(["c"]);
  });

  it("does nothing for a session without a turn, or whose turn waits itself", () => {
    const { slots, begun, begin } = turns(1);
    begin("a");
    begin("b");
    for (const name of ["b", "none"]) slots.pause(name)();
    expect(begun).toEqual(["a"]);
  });
});
