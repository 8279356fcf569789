import { describe, expect, it } from "vitest";
import { MarkedReader, markFor } from "./stdio-marks.ts";

const KEY = "1a2b";

function readIn(pieces: readonly string[]): [string, number][] {
  const told: [string, number][] = [];
  const reader = new MarkedReader(KEY, (text, call) => told.push([text, call]));
  for (const piece of pieces) reader.add(piece);
  return told;
}

describe("[M2] [X1] output of several calls over one pipe", () => {
  const text = `before ${markFor(KEY, 1)}one\n${markFor(KEY, 22)}two\n${markFor(KEY, 0)}after`;

  it("is attributed to its call", () => {
    expect(readIn([text])).toEqual([
      ["before ", 0],
      ["one\n", 1],
      ["two\n", 22],
      ["after", 0],
    ]);
  });

  it("is attributed however it is split into chunks", () => {
    for (let size = 1; size < text.length; size += 1) {
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      const told = readIn(pieces);
      for (const call of [0, 1, 22]) {
        const said = told.flatMap(([part, by]) => (by === call ? [part] : [])).join("");
        expect(said).toBe({ 0: "before after", 1: "one\n", 22: "two\n" }[call]);
      }
    }
  });

  it("contains no mark with another key", () => {
    const forged = `one ${markFor("", 2)}two ${markFor("1a2c", 3)}three`;
    expect(readIn([markFor(KEY, 1), forged])).toEqual([[forged, 1]]);
  });

  it("passes on text that only resembles the beginning of a mark", () => {
    expect(
      readIn(["a\0", "b\0call:1a2b:", "x", "\0call:1a2b:12345678901234567890\0", "."])
        .map(([part]) => part)
        .join(""),
    ).toBe("a\0b\0call:1a2b:x\0call:1a2b:12345678901234567890\0.");
  });
});
