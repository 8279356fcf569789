import { describe, expect, it } from "vitest";
import { coloured, firstLine, printable, shownPath, styled, table } from "./print.ts";

const plain = { isTTY: false, columns: undefined, colour: false, unread: 0, isClosed: false, write() {}, report() {} };

describe("printed text", () => {
  it("[X1] contains visible escapes instead of control characters", () => {
    expect(printable("a\x1b[31mb\x07\u202e")).toBe("a\\x1b[31mb\\x07\\u202e");
    expect(firstLine("\n\n  one\ttwo \r\nthree")).toBe("one two");
  });

  it("[X1] keeps the colours of a tool, and no other escape sequence", () => {
    expect(coloured("a\r\nb\tc\n")).toBe("a\nb\tc\n");
    expect(coloured("\x1b[1;31mred\x1b[2J\x1b]0;title\x07\n")).toBe("\x1b[1;31mred\\x1b[2J\\x1b]0;title\\x07\x1b[m\n");
  });

  it("[U7] has aligned columns, and the last one is wrapped", () => {
    const rows = [
      ["a", "b", "a text of many words that does not fit"],
      ["ccc", "日本", "第一 short"],
    ];
    expect(table(rows, undefined)).toEqual([
      "a    b     a text of many words that does not fit",
      "ccc  日本  第一 short",
    ]);
    expect(table(rows, 42, "  ")).toEqual([
      "  a    b     a text of many words that",
      "             does not fit",
      "  ccc  日本  第一 short",
    ]);
  });

  it("[U7] has the last column below the others where these leave no room", () => {
    const long = "a-tool-with-a-long-name-of-35-letters";
    expect(
      table(
        [
          [long, "project", "It has a long name"],
          ["short", "project", "It has a short name"],
        ],
        60,
      ),
    ).toEqual([`${long}  project`, "                It has a long name", "short  project  It has a short name"]);
    expect(table([["name", "project", "A description of some length"]], 30)).toEqual([
      "name  project",
      "    A description of some",
      "    length",
    ]);
    expect(table([["name", "project", ""]], 30)).toEqual(["name  project"]);
  });

  it("has short paths below the working directory only", () => {
    expect(shownPath("/p/a/b.ts", "/p")).toBe("a/b.ts");
    expect(shownPath("/p-other/b.ts", "/p")).toBe("/p-other/b.ts");
    expect(shownPath("/p", "/p")).toBe("/p");
    expect(shownPath("/p/a\nTrusted.ts", "/p")).toBe("a\\nTrusted.ts");
  });

  it("has colours only if they are enabled", () => {
    expect(styled(plain, "red", "x")).toBe("x");
    expect(styled({ ...plain, colour: true }, "red", "x")).toBe("\x1b[31mx\x1b[39m");
  });
});
