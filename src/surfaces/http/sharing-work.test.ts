import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { sharingWork } from "./sharing-work.ts";

it("does one piece of work at a time, and the next one once for all who wait", async () => {
  let begun = 0;
  const ask = sharingWork(async () => {
    begun += 1;
    const mine = begun;
    await sleep(20);
    return mine;
  });
  const first = ask();
  const others = [ask(), ask(), ask()];
  expect(await first).toBe(1);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  expect(await ask()).toBe(3);
});

it("goes on after work that failed", async () => {
  let begun = 0;
  const ask = sharingWork(async () => {
    begun += 1;
    if (begun === 1) throw new Error("Not this time.");
    return begun;
  });
  const [first, second] = await Promise.allSettled([ask(), ask()]);
  expect(first.status).toBe("rejected");
  expect(second).toEqual({ status: "fulfilled", value: 2 });
});
