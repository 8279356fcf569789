import { describe, expect, it } from "vitest";
import { parseAnsi } from "./parse-ansi.ts";

const ESC = "\u001b";

describe("ANSI text", () => {
  it.each([
    ["plain", "a\nb", [{ text: "a\nb" }]],
    ["a color and its reset", `${ESC}[31mred${ESC}[0m!`, [{ text: "red", color: "var(--ansi-1)" }, { text: "!" }]],
    ["a bright color", `${ESC}[92mx`, [{ text: "x", color: "var(--ansi-2)" }]],
    ["several codes", `${ESC}[1;4;44mx`, [{ text: "x", bold: true, underline: true, background: "var(--ansi-4)" }]],
    [
      "one code reset",
      `${ESC}[1;31ma${ESC}[22mb`,
      [
        { text: "a", bold: true, color: "var(--ansi-1)" },
        { text: "b", color: "var(--ansi-1)" },
      ],
    ],
    ["an empty code", `${ESC}[1ma${ESC}[mb`, [{ text: "a", bold: true }, { text: "b" }]],
    ["256 colors", `${ESC}[38;5;196mx`, [{ text: "x", color: "rgb(255 0 0)" }]],
    ["a gray", `${ESC}[48;5;255mx`, [{ text: "x", background: "rgb(238 238 238)" }]],
    ["24 bits", `${ESC}[38;2;1;2;999mx`, [{ text: "x", color: "rgb(1 2 255)" }]],
    ["a color followed by a switch", `${ESC}[38;5;1;3mx`, [{ text: "x", color: "var(--ansi-1)", italic: true }]],
    ["cursor movements", `a${ESC}[2Kb${ESC}[1;1Hc`, [{ text: "a" }, { text: "b" }, { text: "c" }]],
    ["a title and a link", `${ESC}]0;title\u0007a${ESC}]8;;http://x${ESC}\\b`, [{ text: "a" }, { text: "b" }]],
    ["an unfinished sequence", `a${ESC}`, [{ text: "a" }]],
    ["unknown codes", `${ESC}[999mx`, [{ text: "x" }]],
  ])("%s", (_, text, spans) => {
    expect(parseAnsi(text)).toEqual(spans);
  });

  it("is linear in the length of hostile text", () => {
    expect(parseAnsi(`${ESC}]`.repeat(50_000)).length).toBe(0);
    expect(parseAnsi(`${ESC}[1`.repeat(50_000)).length).toBeLessThan(50_001);
  });
});
