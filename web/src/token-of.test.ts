import { expect, it } from "vitest";
import { tokenOf } from "./token-of.ts";

it.each([
  ["abc-123", "abc-123"],
  ["  abc-123\n", "abc-123"],
  ["http://127.0.0.1:4141/?token=abc", "abc"],
  ["http://127.0.0.1:4141/api/tools?x=1&token=a%2Bb#c", "a+b"],
  ['"http://h/?token=abc"', "abc"],
  ["?token=abc", "abc"],
  ["Bearer abc", "abc"],
  ["Authorization: Bearer abc", "abc"],
  ["token=%", "token=%"],
  ["?token=%", "%"],
  ["", undefined],
  ["   ", undefined],
  ["http://127.0.0.1:4141/", undefined],
  ["two words", undefined],
])("finds the token in %j", (pasted, token) => {
  expect(tokenOf(pasted)).toBe(token);
});
