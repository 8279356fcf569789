import { describe, expect, it } from "vitest";
import { type Line, LineReader } from "./line-reader.ts";

function read(most: number, ...chunks: readonly (string | Buffer)[]): Line[] {
  const lines: Line[] = [];
  const reader = new LineReader(most, (line) => lines.push(line));
  for (const chunk of chunks) reader.add(Buffer.from(chunk as string));
  return lines;
}

const line = (text: string): Line => ({ kind: "line", text });

describe("lines of a stream", () => {
  it("[M1] are emitted when they are complete, for any chunks", () => {
    expect(read(100, "a\nb", "c\n\nd")).toEqual([line("a"), line("bc"), line("")]);
  });

  it("[M1] keep a character that is split between chunks", () => {
    const [first, second] = [Buffer.from("é\n").subarray(0, 1), Buffer.from("é\n").subarray(1)];
    expect(read(100, first, second)).toEqual([line("é")]);
  });

  it("[X1] are dropped when they are too large, and the next one is read", () => {
    expect(read(3, "abcd", "efgh", "\nabc\nabcd\nx\n")).toEqual([
      { kind: "too large" },
      line("abc"),
      { kind: "too large" },
      line("x"),
    ]);
  });
});
