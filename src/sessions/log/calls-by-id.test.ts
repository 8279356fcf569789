import { expect, it } from "vitest";
import { CallsByID } from "./calls-by-id.ts";

it("[S2] pairs each end with the oldest open call of its id", () => {
  const calls = new CallsByID<number>();
  calls.start("call_1", 1);
  expect([calls.end("call_1"), calls.end("call_1"), calls.last("call_1")]).toEqual([1, undefined, 1]);
  calls.start("call_1", 2);
  calls.start("call_1", 3);
  calls.start("call_2", 4);
  expect([calls.last("call_1"), calls.end("call_1"), calls.hasOpen]).toEqual([3, 2, true]);
  expect([calls.endAll("call_1"), calls.endAll("call_1"), calls.end("call_2"), calls.hasOpen]).toEqual([
    [3],
    [],
    4,
    false,
  ]);
});
