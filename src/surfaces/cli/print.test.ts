import { describe, expect, it } from "vitest";
import { coloured, cut, firstLine, printable, shownPath, styled, table } from "./print.ts";

const plain = { isTTY: false, columns: undefined, colour: false, unread: 0, write() {}, report() {} };

describe("printed text", () => {
  it("[X1] contains visible escapes instead of control characters", () => {
    expect(printable("a\x1b[31mb\x07\u202e")).toBe("a\\x1b[31mb\\x07\\x202e");
    expect(firstLine("\n\n  one\ttwo \r\nthree")).toBe("one two");
  });

  it("[X1] keeps the colours of a tool, and no other escape sequence", () => {
    expect(coloured("a\r\nb\tc\n")).toBe("a\nb\tc\n");
    expect(coloured("\x1b[1;31mred\x1b[2J\x1b]0;title\x07\n")).toBe("\x1b[1;31mred\\x1b[2J\\x1b]0;title\\x07\x1b[m\n");
  });

  it("is cut between characters", () => {
    expect(cut("a😀bc", 3)).toBe("a😀…");
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abc", undefined)).toBe("abc");
  });

  it("has aligned columns, and the last one is cut", () => {
    expect(
      table(
        [
          ["a", "b", "long text"],
          ["ccc", "d", ""],
        ],
        10,
      ),
    ).toEqual(["a    b  l…", "ccc  d"]);
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
