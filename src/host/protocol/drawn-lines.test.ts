import { describe, expect, it } from "vitest";
import { boundedLines, isDrawnLines } from "./drawn-lines.ts";

const unprintable = {
  toString() {
    throw new Error("no");
  },
};

describe("[U5] drawn lines", () => {
  it.each([
    ["texts", ["a", "b"], ["a", "b"]],
    ["other values", [1, null, unprintable], ["1", "null", ""]],
    ["a long line", ["x".repeat(30_000)], ["x".repeat(20_000)]],
    ["many lines", Array(3_000).fill("x"), Array(2_000).fill("x")],
    ["much text", Array(30).fill("x".repeat(20_000)), Array(20).fill("x".repeat(20_000))],
  ])("are bounded: %s", (_what, lines, bounded) => {
    expect(boundedLines(lines)).toEqual(bounded);
    expect(isDrawnLines(boundedLines(lines))).toBe(true);
  });

  it.each([
    ["no list", "a"],
    ["no texts", [1]],
    ["a long line", ["x".repeat(20_001)]],
    ["many lines", Array(2_001).fill("")],
    ["much text", Array(21).fill("x".repeat(20_000))],
  ])("are refused: %s", (_what, value) => {
    expect(isDrawnLines(value)).toBe(false);
  });
});
