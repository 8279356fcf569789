import { expect, it } from "vitest";
import { OutputTail } from "./output-tail.ts";
import { truncateTail } from "./truncate-text.ts";

const OUTPUTS: Record<string, string> = {
  "no output": "",
  "a few characters of several bytes": "añ😀–\nb\n",
  "an output without a line feed at its end": "one\ntwo",
  "many short lines": Array.from({ length: 30_000 }, (_, line) => `${line}\n`).join(""),
  "many empty lines": "\n".repeat(500_000),
  "long lines of wide characters": `${"äöü€😀".repeat(2_000)}\n`.repeat(30),
  "one very long line": "x€".repeat(300_000),
};

it.each(Object.entries(OUTPUTS))("[A8] the end of %s is the same, however its bytes are cut", (_, output) => {
  const bytes = Buffer.from(output);
  for (const size of [1, 7, 4_096, 65_536, bytes.length + 1]) {
    if (bytes.length / size > 200_000) continue;
    const tail = new OutputTail();
    for (let at = 0; at < bytes.length; at += size) tail.push(bytes.subarray(at, at + size));
    const { content: shown, ...more } = tail.end();
    const { content, ...expected } = truncateTail(output);
    expect([more, shown === content]).toEqual([expected, true]);
  }
});

it("[A8] an output that ends within a character, and one of texts and bytes, lose nothing else", () => {
  const tail = new OutputTail();
  tail.push(Buffer.from("é").subarray(0, 1));
  tail.push("text");
  tail.push(Buffer.from("é").subarray(0, 1));
  expect(tail.end().content).toBe("\ufffdtext\ufffd");
});
