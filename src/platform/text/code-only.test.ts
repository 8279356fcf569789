import { describe, expect, it } from "vitest";
import { codeOnly } from "./code-only.ts";

/** "§" replaces the "$" before a brace. */
describe("[A9] text without comments and strings", () => {
  it.each([
    ["a string", 'a = "b\\"c" + d', 'a = "    " + d'],
    ["a string in single quotes", "a = 'it\\'s' + d", "a = '     ' + d"],
    ["a comment", "a // b\nc", "a     \nc"],
    ["a comment over lines", "a /* b\n c */ d", "a     \n      d"],
    ["a comment that does not end", "a /* b", "a     "],
    ["a comment inside a string", 'a = "//"; b', 'a = "  "; b'],
    ["a template", "a = `b §{c} d` + e", "a = `   {c}  ` + e"],
    ["a template in a template", "`a §{ { b: `c §{d}` } } e` + f", "`   { { b: `   {d}` } }  ` + f"],
    ["a quote in a regular expression", "a = /[/\"]'/g; b = 'c'", "a = /      g; b = ' '"],
    ["a regular expression after a keyword", "return /'/.test(a)", "return / /.test(a)"],
    ["a division", "a / b / 'c'", "a / b / ' '"],
    ["a quote that does not end", "a = 'b\nc = 1", "a = 'b\nc = 1"],
  ])("%s", (_, source, code) => {
    expect(codeOnly(source.replaceAll("§", "$"))).toBe(code);
  });

  it("keeps every position, for any text", () => {
    const odd = "`§{`§{'\\u0000{}}}` /* ` // \r\n \" ' / ` §{ } \\".replaceAll("§", "$");
    for (let start = 0; start < odd.length; start += 1) {
      expect(codeOnly(odd.slice(start))).toHaveLength(odd.length - start);
    }
  });

  it.each(["'\\", '"\\', "`\\"])("takes no time that matters for many quotes that do not end: %s", (part) => {
    const source = part.repeat(200_000);
    expect(codeOnly(source)).toBe(source);
  });
});
