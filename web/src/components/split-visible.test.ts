import { expect, it } from "vitest";
import { splitVisible } from "./split-visible.ts";

it.each([
  ["rm -rf x", "rm -rf x"],
  ["a\u202Eb", "a[U+202E]b"],
  ["\u0000\u001b", "[U+0000][U+001B]"],
  ["tab\tand\nline", "tab\tand\nline"],
  ["\u200bzero\u{e0041}", "[U+200B]zero[U+E0041]"],
  ["", ""],
  ["ünïcode 漢字 😀", "ünïcode 漢字 😀"],
])("shows hidden characters of %j", (text, shown) => {
  const parts = splitVisible(text);
  expect(parts.map((part) => (part.hidden ? `[${part.text}]` : part.text)).join("")).toBe(shown);
});
