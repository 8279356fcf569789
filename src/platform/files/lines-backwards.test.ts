import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linesBackwards } from "./lines-backwards.ts";

async function linesOf(text: string, { end = Buffer.byteLength(text), maxBytes = 1_000_000 } = {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log");
  writeFileSync(file, text);
  const handle = await open(file);
  const lines: string[] = [];
  for await (const { start, text: line } of linesBackwards(handle, end, maxBytes)) {
    expect(
      Buffer.from(text)
        .subarray(start, start + Buffer.byteLength(line))
        .toString(),
    ).toBe(line);
    lines.push(line);
  }
  await handle.close();
  return lines;
}

const LONG = "é".repeat(100_000);

test.each<[title: string, text: string, options: { end?: number; maxBytes?: number }, expected: string[]]>([
  ["an empty file", "", {}, []],
  ["one line", "a\n", {}, ["a"]],
  ["no line break at the end", "a\nb", {}, ["b", "a"]],
  ["empty lines", "\n\na\n\n\nb\n\n", {}, ["b", "a"]],
  ["an end between lines", "a\nb\nc\n", { end: 4 }, ["b", "a"]],
  ["an end inside a line", "a\nbcd\n", { end: 4 }, ["bc", "a"]],
  ["lines longer than a chunk, with characters of two bytes", `a\n${LONG}\nb\n`, {}, ["b", LONG, "a"]],
  ["a line that is too long is left out", `a\n${LONG}\nb\n`, { maxBytes: 100_000 }, ["b", "a"]],
  ["a first line that is too long", `${LONG}\nb\n`, { maxBytes: 100_000 }, ["b"]],
])("%s", async (_, text, options, expected) => {
  expect(await linesOf(text, options)).toEqual(expected);
});

test("every size of line around the size of a chunk", async () => {
  const sizes = [65_533, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073];
  const lines = sizes.map((size, at) => String(at).repeat(size));
  expect(await linesOf(`${lines.join("\n")}\n`)).toEqual(lines.toReversed());
});
