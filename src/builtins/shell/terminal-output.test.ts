import { expect, it } from "vitest";
import { visibleText } from "./terminal-output.ts";

it.each([
  ["plain\ttext\n", "plain\ttext\n"],
  ["\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m", "red blue"],
  ["\x1b]0;title\x07a \x1b]8;;http://b\x1b\\link\x1b]8;;\x1b\\", "a link"],
  ["\x1b(Ba\x1b=b\x1b7c\x1bPdevice\x1b\\d", "abcd"],
  ["a\x1b[2Kb\x1b[1A\x1b[?25l", "ab"],
  ["cut off \x1b[38;5", "cut off "],
  ["cut off \x1b", "cut off "],
  ["not an end \x1b]0;title\nnext", "not an end 0;title\nnext"],
  ["10%\r20%\r100%\nend", "100%\nend"],
  ["10%\r20%\r", "20%\r"],
  ["dos\r\n\r\nlines\r\n", "dos\r\n\r\nlines\r\n"],
  ["a\rb\r\r\n\r", "b\r\r\n\r"],
  ["", ""],
])("[B1] shows %j as %j", (written, shown) => {
  expect(visibleText(written)).toBe(shown);
});

it("[B1] takes time linear in the length of any input", () => {
  for (const evil of ["\x1b", "\x1b[", "\x1b]", "\x1bP", "\r", "\x1b[;", "a\r"]) {
    const text = evil.repeat(2_000_000 / evil.length);
    expect(visibleText(text).length).toBeLessThanOrEqual(text.length);
  }
  expect(visibleText(`\x1b[${";".repeat(2_000_000)}`)).toBe("");
  expect(visibleText(`\x1b]${"a".repeat(2_000_000)}`)).toHaveLength(2_000_000);
});
