import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { limitBuffering } from "./limit-buffering.ts";

const LARGE = 300_000;

/** A stream whose reader reads one write at a time, on request. */
function unreadStream(): { stream: Writable; readAll(): Promise<string> } {
  let read = "";
  let next: (() => void) | undefined;
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      next = () => {
        read += chunk;
        done();
      };
    },
  });
  const readAll = async (): Promise<string> => {
    while (next) {
      const now = next;
      next = undefined;
      now();
      await new Promise(setImmediate);
    }
    return read;
  };
  return { stream, readAll };
}

describe("[X1] a stream that is not read", () => {
  it.each<[string, string[], string]>([
    ["keeps what fits", ["a\n", "b\n"], "a\nb\n"],
    ["keeps one large text", [`${"x".repeat(LARGE)}\n`], `${"x".repeat(LARGE)}\n`],
    ["keeps a large text behind a short one", ["a\n", `${"x".repeat(LARGE)}\n`], `a\n${"x".repeat(LARGE)}\n`],
    [
      "drops and counts lines behind a large text",
      [`${"x".repeat(LARGE)}\n`, "a\nb\n", "c\n"],
      `${"x".repeat(LARGE)}\n[3 lines of tool output dropped: stderr is not being read]\n`,
    ],
    [
      "drops and counts a part of a line",
      ["x".repeat(LARGE), "a"],
      `${"x".repeat(LARGE)}\n[1 line of tool output dropped: stderr is not being read]\n`,
    ],
  ])("%s, and passes on later output", async (_, texts, expected) => {
    const { stream, readAll } = unreadStream();
    limitBuffering(stream);
    for (const text of texts) stream.write(text);
    expect(await readAll()).toBe(expected);
    stream.write("later\n");
    expect(await readAll()).toBe(`${expected}later\n`);
  });
});
