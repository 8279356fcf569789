import { describe, expect, it } from "vitest";
import { parseInput } from "./parse-input.ts";

describe("raw JSON", () => {
  it.each([
    ["", {}],
    ["  \n", {}],
    ['{"a":1}', { a: 1 }],
  ])("%j is an input", (text, input) => expect(parseInput(text)).toEqual({ ok: true, input }));

  it("keeps a key that is dangerous in JavaScript", () => {
    const parsed = parseInput('{"__proto__":{"a":1}}');
    expect(parsed.ok && JSON.stringify(parsed.input)).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    ["[1]", "The input must be an object such as {}, but it is an array."],
    ["null", "The input must be an object such as {}, but it is null."],
    ['"x"', "The input must be an object such as {}, but it is a string."],
  ])("%s is refused", (text, message) => expect(parseInput(text)).toMatchObject({ ok: false, message, line: 1 }));

  it.each([
    ['{\n  "a": 1,\n}', 3, 1, "A name in double quotes is missing here."],
    ['{"a" 1}', 1, 6, "A colon is missing here."],
    ['{\n"a": tru }', 2, 6, "This word is not JSON. Texts need double quotes."],
    ['{"a": "b', 1, 7, "The text in double quotes does not end."],
    ["{", 1, 2, "A closing brace } is missing here."],
    ['{"a": [1 2]}', 1, 10, "A comma is missing here."],
    ['{"a": 1} x', 1, 10, "This word is not JSON. Texts need double quotes."],
    ['{"a": "x\ny"}', 1, 7, "The text in double quotes does not end."],
    ["{'a': 1}", 1, 2, "This word is not JSON. Texts need double quotes."],
    ['{"a": 1} // x', 1, 10, "JSON has no comments."],
  ])("an error in %j has its place", (text, line, column, message) => {
    expect(parseInput(text)).toEqual({ ok: false, line, column, message });
  });
});
