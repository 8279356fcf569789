import { describe, expect, it } from "vitest";
import { wordsOf } from "./line-words.ts";

describe("the words of a typed call", () => {
  it.each([
    ["", []],
    ["  a   b\nc ", ["a", "b", "c"]],
    ['key="two words" x', ["key=two words", "x"]],
    ["key='two \"words\"'", ['key=two "words"']],
    ['key="a \\"b\\" \\\\ \\n"', ['key=a "b" \\ \\n']],
    ['a="b"c', ["a=bc"]],
    ['key=""', ["key="]],
    ["key=[1, 2] x", ["key=[1, 2]", "x"]],
    ['key={"a": ["]", "}"]} x', ['key={"a": ["]", "}"]}', "x"]],
    ["a[0] b", ["a[0]", "b"]],
    ["key=a[ b", ["key=a[", "b"]],
  ])("[U2] splits %j", (line, words) => {
    expect(wordsOf(line).map(({ text }) => text)).toEqual(words);
  });

  it("[U2] finds the first equals sign outside of quotes", () => {
    expect(wordsOf('a=b=c "x=y" z').map(({ equals }) => equals)).toEqual([1, -1, -1]);
  });

  it.each([
    ['key="two', 'The quote " is not closed. Add " at the end of the value.'],
    ["key='two", "The quote ' is not closed. Add ' at the end of the value."],
    ["key=[1, 2", "The bracket [ is not closed. Add ] at the end of the value."],
    ['key={"a": "}"', "The bracket { is not closed. Add } at the end of the value."],
  ])("[U6] refuses %j", (line, message) => {
    expect(() => wordsOf(line)).toThrow(message);
  });
});
