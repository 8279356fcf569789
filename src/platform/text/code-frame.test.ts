import { describe, expect, it } from "vitest";
import { codeFrame, positionAt } from "./code-frame.ts";

describe("[D5] a code frame", () => {
  it("has two lines around the position, line numbers, and a caret", () => {
    expect(codeFrame("a\nb\nconst c = ;\nd\ne\nf\n", { line: 3, column: 11 })).toBe(`  1 | a
  2 | b
> 3 | const c = ;
    |           ^
  4 | d
  5 | e`);
  });

  it("aligns the line numbers", () => {
    const source = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n");
    expect(codeFrame(source, { line: 10, column: 1 })).toBe(`   8 | line 8
   9 | line 9
> 10 | line 10
     | ^
  11 | line 11
  12 | line 12`);
  });

  it("marks the end of a file", () => {
    expect(codeFrame("{\r\n", { line: 2, column: 1 })).toBe("  1 | {\n> 2 |\n    | ^");
  });

  it("replaces tabs and control characters, one column each", () => {
    expect(codeFrame("\tx\u001b[2J = ;", { line: 1, column: 9 })).toBe("> 1 |  x [2J = ;\n    |         ^");
  });

  it("cuts a long line around the caret", () => {
    const frame = codeFrame(`${"x".repeat(5000)}!${"y".repeat(5000)}`, { line: 1, column: 5001 });
    const [code = "", caret = ""] = frame.split("\n");
    expect(code.length).toBeLessThan(120);
    expect(code[caret.indexOf("^")]).toBe("!");
  });

  it("is empty for a line that does not exist", () => {
    expect(codeFrame("a", { line: 7, column: 1 })).toBe("");
  });

  it("knows the position of an offset", () => {
    expect(positionAt("ab\ncd", 4)).toEqual({ line: 2, column: 2 });
    expect(positionAt("ab", 0)).toEqual({ line: 1, column: 1 });
  });
});
