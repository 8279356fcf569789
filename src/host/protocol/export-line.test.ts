import { expect, test } from "vitest";
import { exportLine } from "./export-line.ts";

test.each([
  ["const x = 1;\nexport const a = 1;", "a", 2],
  ["export { b, a };", "a", 1],
  ["a;\nexport const aa = 1;", "a", undefined],
  ["a; export const b = 1;", "a", undefined],
  ["exports.a = 1;", "a", 1],
  ["\nexport default 1;", "default", 2],
  ["module.exports = {};", "default", 1],
  ["export const tools = {};", "tools.a", 1],
])("the line of an export in %j: %s", (source, name, line) => {
  expect(exportLine(source, name)).toBe(line);
});

test("a long line with many exports is searched in linear time", () => {
  expect(exportLine("export ".repeat(140_000), "a")).toBeUndefined();
});
