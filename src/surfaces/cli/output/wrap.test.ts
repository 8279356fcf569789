import { describe, expect, it } from "vitest";
import { cut, textWidth } from "./text-width.ts";
import { excerpt, wrapped } from "./wrap.ts";

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    ["äöü", 3],
    ["e\u0301", 1],
    ["日本語", 6],
    ["한국어", 6],
    ["ｱｲｳ", 3],
    ["ＡＢ", 4],
    ["、。", 4],
    ["😀", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["❤️ 1️⃣", 5],
    ["✓ → …", 5],
    ["a\u200bb", 2],
    ["\x1b[1;31mred\x1b[39m", 3],
    ["\x1b[2m日本\x1b[22m", 4],
  ])("[U7] of %j is %i", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("[U7] decides where a text is cut", () => {
    expect(cut("a😀bc", 4)).toBe("a😀…");
    expect(cut("a😀bc", 3)).toBe("a…");
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abc", undefined)).toBe("abc");
  });
});

describe("a wrapped text", () => {
  it.each([
    ["keeps short lines", "one two\n\nthree", 20, "", ["one two", "", "three"]],
    ["breaks between words", "one two three four five six", 20, "", ["one two three four", "five six"]],
    ["has a margin", "one two three four five six", 24, "    ", ["    one two three four", "    five six"]],
    ["continues below the text of a list", "- one two three four five", 22, "", ["- one two three four", "  five"]],
    ["continues at the indent of a line", "  one two three four five", 22, "", ["  one two three four", "  five"]],
    ["continues below a number", "10. one two three four five", 24, "", ["10. one two three four", "    five"]],
    ["leaves a long word whole", `see ${"x".repeat(30)} there`, 20, "", ["see", "x".repeat(30), "there"]],
    [
      "keeps code together",
      "First of all run `npm ci && npm start`.",
      20,
      "",
      ["First of all run", "`npm ci && npm start`."],
    ],
    ["keeps a command together", "Now run: toolwright trust --cwd x", 20, "", ["Now run:", "toolwright trust --cwd x"]],
    [
      "breaks text without spaces between wide characters",
      "日本語の文章には空白がありません",
      20,
      "",
      ["日本語の文章には空白", "がありません"],
    ],
    ["keeps the Latin words in it", "日本語の文章中のSCHEMA名", 20, "", ["日本語の文章中の", "SCHEMA名"]],
    ["counts emoji as two columns", "✅ ✅ ✅ ✅ ✅ ✅ ✅ ✅", 20, "", ["✅ ✅ ✅ ✅ ✅ ✅ ✅", "✅"]],
    ["leaves code frames alone", `> 12 | ${"x ".repeat(20)}`, 20, "", [`> 12 | ${"x ".repeat(20).trimEnd()}`]],
    ["uses 20 columns at least", "one two three four five", 3, "", ["one two three four", "five"]],
    ["is not broken without a width", "one two three four five", undefined, " ", [" one two three four five"]],
  ])("[U7] %s", (_, text, columns, margin, lines) => {
    expect(wrapped(text, columns, margin)).toEqual(lines);
  });

  it("[U7] can continue further to the right", () => {
    expect(wrapped("one two three four five six", 20, "", "    ")).toEqual(["one two three four", "    five six"]);
  });

  it("[U7] can be shortened at a word", () => {
    expect(excerpt("one two three, four five six", 20)).toBe("one two three, four…");
    expect(excerpt("one two, three four five", 20)).toBe("one two, three four…");
    expect(excerpt("one two", 15)).toBe("one two");
    expect(excerpt("x".repeat(30), 24)).toBe(`${"x".repeat(22)}…`);
  });
});
