import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { shareRuns } from "./share-runs.ts";

it("runs once at a time, and once more for all calls during a run", async () => {
  let started = 0;
  const run = shareRuns(async () => {
    started += 1;
    const mine = started;
    await sleep(20);
    return mine;
  });
  const first = run();
  const others = [run(), run(), run()];
  expect(await first).toBe(1);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  expect(await run()).toBe(3);
});

it("runs again after a run that failed", async () => {
  let started = 0;
  const run = shareRuns(async () => {
    started += 1;
    if (started === 1) throw new Error("Not this time.");
    return started;
  });
  const [first, second] = await Promise.allSettled([run(), run()]);
  expect(first.status).toBe("rejected");
  expect(second).toEqual({ status: "fulfilled", value: 2 });
});
