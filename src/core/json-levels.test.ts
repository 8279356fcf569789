import { expect, it } from "vitest";
import { isDeeperThan, levelsOf } from "./json-levels.ts";

it("[X1] shows the objects and lists of a value, level by level", () => {
  const value = { a: [1, { b: null }], c: { d: "x" }, e: 2 };
  expect([...levelsOf(value)]).toEqual([[value], [value.a, value.c], [{ b: null }]]);
  expect([...levelsOf("text"), ...levelsOf(null), ...levelsOf(undefined)]).toEqual([]);
});

it("[X1] tells how deep a value is without going deep itself", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(isDeeperThan(deep, 500)).toBe(true);
  expect(isDeeperThan([[[1]]], 3)).toBe(false);
  expect(isDeeperThan([[[[]]]], 3)).toBe(true);
  expect(isDeeperThan({ a: { b: {} } }, 2)).toBe(true);
  expect(isDeeperThan(1, 0)).toBe(false);
});
