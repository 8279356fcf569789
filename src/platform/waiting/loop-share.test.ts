import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { CommonLoopShare, LoopShare } from "./loop-share.ts";

function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

it("[X1] work that has not used its share goes on at once", () => {
  expect(new LoopShare().pause()).toBeUndefined();
});

it("[X1] of many works at once, one goes on in each turn of the loop, and all end", async () => {
  let [turn, steps] = [0, 0];
  const stepsIn = new Map<number, Set<number>>();
  const work = async (name: number): Promise<void> => {
    const share = new LoopShare();
    for (let step = 0; step < 5; step += 1) {
      hold(11);
      await share.pause();
      stepsIn.set(turn, (stepsIn.get(turn) ?? new Set()).add(name));
      steps += 1;
    }
  };
  let isOver = false;
  const all = Promise.all([1, 2, 3, 4].map(work)).then(() => (isOver = true));
  for (; !isOver; turn += 1) await nextTurn();
  await all;
  expect(steps).toBe(20);
  expect([...stepsIn.values()].filter(({ size }) => size > 1)).toEqual([]);
});

it("[X1] works that cannot be told apart hold each turn of the loop for one share, and all end", async () => {
  const share = new CommonLoopShare();
  let [turn, steps] = [0, 0];
  const stepsIn = new Map<number, number>();
  const work = async (): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      await share.pause();
      hold(6);
      stepsIn.set(turn, (stepsIn.get(turn) ?? 0) + 1);
      steps += 1;
    }
  };
  let isOver = false;
  const all = Promise.all([1, 2, 3, 4].map(work)).then(() => (isOver = true));
  for (; !isOver; turn += 1) await nextTurn();
  await all;
  expect(steps).toBe(20);
  // Two steps of 6 ms in a share of 10 ms. The first works begin before a share is used up.
  expect(Math.max(...[...stepsIn].filter(([at]) => at > 0).map(([, count]) => count))).toBeLessThanOrEqual(3);
  expect(share.pause()).toBeUndefined();
});
