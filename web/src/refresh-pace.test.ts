import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { RefreshPace } from "./refresh-pace.ts";

const read = (): AbortSignal => new AbortController().signal;

function counted(): { readonly pace: RefreshPace; readonly count: () => number } {
  let count = 0;
  const pace = new RefreshPace(() => {
    count += 1;
  });
  onTestFinished(() => pace.stop());
  return { pace, count: () => count };
}

test("[U4] several events cause one read", async () => {
  const { pace, count } = counted();
  for (let event = 0; event < 5; event += 1) pace.changed();
  await expect.poll(count).toBe(1);
  await sleep(150);
  expect(count()).toBe(1);
});

test("[U4] events during a read cause another one after it", async () => {
  const { pace, count } = counted();
  const [replaced, current] = [read(), read()];
  pace.begin(replaced);
  pace.begin(current);
  pace.changed();
  pace.end(replaced);
  await sleep(150);
  expect(count()).toBe(0);
  pace.end(current);
  // The read took some time, and the next one waits for several times as long.
  await sleep(150);
  expect(count()).toBe(0);
  await expect.poll(count).toBe(1);
});

test("[U4] a read makes earlier events irrelevant, and nothing follows a stop", async () => {
  const { pace, count } = counted();
  pace.changed();
  const again = read();
  pace.begin(again);
  pace.end(again);
  pace.changed();
  pace.stop();
  await sleep(150);
  expect(count()).toBe(0);
});
