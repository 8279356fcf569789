import { describe, expect, it } from "vitest";
import { bunRuntime } from "../../src/host/protocol/runtime.ts";
import { COUNTS, IDLE_MS, idleFixture, stays } from "../support/idle-host.ts";
import { BUN, installed } from "../support/installed.ts";

const missing = await installed("bun");

describe.skipIf(missing)("[P5] a Bun host without work", () => {
  it("ends, and the next call starts another", async () => {
    const { file, ref, call, count, hasEnded } = idleFixture(IDLE_MS, bunRuntime(BUN));
    const counts = ref(file("counts", COUNTS));
    expect(await call(counts)).toBe("1");
    await hasEnded();
    expect(count()).toEqual({ alive: 0, started: 1, died: 0 });
    expect(await call(counts)).toBe("1");
  });

  it("stays while a tool has an interval", async () => {
    const { file, ref, call, count } = idleFixture(IDLE_MS, bunRuntime(BUN));
    const keeps = ref(file("keeps", `setInterval(() => {}, 50); ${COUNTS}`));
    expect(await call(keeps)).toBe("1");
    await stays();
    expect(await call(keeps)).toBe("2");
    expect(count()).toEqual({ alive: 1, started: 1, died: 0 });
  });
});
