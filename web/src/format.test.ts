import { describe, expect, it } from "vitest";
import { byteSize, timeAgo } from "./format.ts";

describe("numbers for people", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 KB"],
    [12_345, "12 KB"],
    [999_600, "1.0 MB"],
    [3_400_000_000, "3.4 GB"],
  ])("%i bytes", (bytes, text) => expect(byteSize(bytes)).toBe(text));

  it.each([
    [0, "just now"],
    [-5000, "just now"],
    [60_000, "1 min ago"],
    [7_200_000, "2 h ago"],
  ])("%i ms ago", (ms, text) => expect(timeAgo(1_790_000_000_000 - ms, 1_790_000_000_000)).toBe(text));
});
