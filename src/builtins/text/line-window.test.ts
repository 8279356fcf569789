import { expect, it } from "vitest";
import { countLines, usualBreak, withLineFeeds } from "../../platform/text/line-breaks.ts";
import { LineWindow } from "./line-window.ts";

const show = (number: number, text: string): string => `${number}:${text}`;

function linesOf(pieces: readonly string[], options: object = {}): { lines: string[]; seen: number; isDone: boolean } {
  const window = new LineWindow({ first: 1, maxLines: 100, maxCharacters: 100, maxBytes: 10_000, show, ...options });
  for (const piece of pieces) window.push(piece);
  const { isDone } = window;
  window.end();
  return { lines: window.lines, seen: window.seen, isDone };
}

it("[B2] finds the same lines however the text is split into chunks", () => {
  const texts = ["", "a", "\n", "\r", "\r\n", "a\nb", "a\r\nb\r\n", "a\rb\r", "\n\r", "\r\r\n\n", "ab\r\ncd\re\n\nf"];
  for (const text of texts) {
    const lines = withLineFeeds(text).split("\n");
    if (lines.at(-1) === "") lines.pop();
    const expected = lines.map((line, index) => show(index + 1, line));
    for (let size = 1; size <= text.length + 1; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      );
      expect([text, size, linesOf(pieces).lines]).toEqual([text, size, expected]);
    }
    expect(countLines(text)).toBe(lines.length);
  }
});

it("[B2] is done only when a further line is known to follow", () => {
  expect(linesOf(["a\nb\n"], { maxLines: 2 })).toEqual({ lines: ["1:a", "2:b"], seen: 2, isDone: false });
  expect(linesOf(["a\nb\nc"], { maxLines: 2 })).toEqual({ lines: ["1:a", "2:b"], seen: 3, isDone: true });
  expect(linesOf(["a\nb\n", "\n"], { maxLines: 2 })).toEqual({ lines: ["1:a", "2:b"], seen: 3, isDone: true });
  expect(linesOf(["a\nb\nc\n"], { maxBytes: 8 })).toEqual({ lines: ["1:a", "2:b"], seen: 3, isDone: true });
  expect(linesOf(["a\nb\nc\n"], { first: 3 })).toEqual({ lines: ["3:c"], seen: 3, isDone: false });
});

it("[B4] finds the most frequent line break", () => {
  expect(usualBreak("a")).toBe("\n");
  expect(usualBreak("a\r\nb\r\nc\n")).toBe("\r\n");
  expect(usualBreak("a\nb\nc\r\n")).toBe("\n");
  expect(usualBreak("a\rb\r")).toBe("\r");
});
