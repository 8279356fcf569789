import { describe, expect, it } from "vitest";
import { countText, durationText, sizeText } from "./amount-text.ts";

describe("amounts as text", () => {
  it.each([
    [0, "0 tools"],
    [1, "1 tool"],
    [2, "2 tools"],
  ])("%i of a thing", (count, text) => expect(countText(count, "tool")).toBe(text));

  it.each([
    [999, "999 bytes"],
    [12_345, "12 kB"],
    [3_400_000, "3.4 MB"],
  ])("%i bytes", (bytes, text) => expect(sizeText(bytes)).toBe(text));

  it.each([
    [0.4, "0 ms"],
    [340, "340 ms"],
    [999.7, "1.0 s"],
    [2_400, "2.4 s"],
    [59_999, "1 min 0 s"],
    [185_000, "3 min 5 s"],
    [7_260_000, "2 h 1 min"],
  ])("%d ms", (ms, text) => expect(durationText(ms)).toBe(text));
});
