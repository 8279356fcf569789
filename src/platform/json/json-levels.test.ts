import { expect, it } from "vitest";
import { isDeeperThan, levelsOf } from "./json-levels.ts";

it("[X1] yields the objects and arrays of a value, level by level", () => {
  const value = { a: [1, { b: null }], c: { d: "x" }, e: 2 };
  expect([...levelsOf(value)]).toEqual([[value], [value.a, value.c], [{ b: null }]]);
  expect([...levelsOf("text"), ...levelsOf(null), ...levelsOf(undefined)]).toEqual([]);
});

it("[X1] measures the depth of a value without recursion", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(isDeeperThan(deep, 500)).toBe(true);
  expect(isDeeperThan([[[1]]], 3)).toBe(false);
  expect(isDeeperThan([[[[]]]], 3)).toBe(true);
  expect(isDeeperThan({ a: { b: {} } }, 2)).toBe(true);
  expect(isDeeperThan(1, 0)).toBe(false);
});
