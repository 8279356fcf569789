import { describe, expect, it } from "vitest";
import { coloured, cut, firstLine, printable, shownPath, styled, table } from "./print.ts";

const plain = { isTTY: false, columns: undefined, colour: false, unread: 0, write() {}, report() {} };

describe("what is printed", () => {
  it("[X1] shows control characters instead of obeying them", () => {
    expect(printable("a\x1b[31mb\x07\u202e")).toBe("a\\x1b[31mb\\x07\\x202e");
    expect(firstLine("\n\n  one\ttwo \r\nthree")).toBe("one two");
  });

  it("[X1] leaves a tool its colours, and nothing else", () => {
    expect(coloured("a\r\nb\tc\n")).toBe("a\nb\tc\n");
    expect(coloured("\x1b[1;31mred\x1b[2J\x1b]0;title\x07\n")).toBe("\x1b[1;31mred\\x1b[2J\\x1b]0;title\\x07\x1b[m\n");
  });

  it("cuts between characters", () => {
    expect(cut("a😀bc", 3)).toBe("a😀…");
    expect(cut("abc", 3)).toBe("abc");
    expect(cut("abc", undefined)).toBe("abc");
  });

  it("aligns columns and cuts the last", () => {
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

  it("shortens paths below the working directory only", () => {
    expect(shownPath("/p/a/b.ts", "/p")).toBe("a/b.ts");
    expect(shownPath("/p-other/b.ts", "/p")).toBe("/p-other/b.ts");
    expect(shownPath("/p", "/p")).toBe("/p");
    expect(shownPath("/p/a\nTrusted.ts", "/p")).toBe("a\\nTrusted.ts");
  });

  it("uses colours only where they are wanted", () => {
    expect(styled(plain, "red", "x")).toBe("x");
    expect(styled({ ...plain, colour: true }, "red", "x")).toBe("\x1b[31mx\x1b[39m");
  });
});
