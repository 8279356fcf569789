import { expect, it } from "vitest";
import { matchesName } from "./match-name.ts";

it.each([
  ["lint", "lint", true],
  ["lint", "lint_fix", false],
  ["lint*", "lint_fix", true],
  ["*_fix", "lint_fix", true],
  ["l*t*x", "lint_fix", true],
  ["*", "", true],
  ["a*a", "a", false],
  ["a**b", "ab", true],
  ["*x*", "abc", false],
  ["", "", true],
])("%s on %s: %s", (pattern, name, expected) => {
  expect(matchesName(pattern, name)).toBe(expected);
});
