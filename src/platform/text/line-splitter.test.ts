import { expect, it } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

const TEXT = "añ\n\n😀 – two\r\nlast\nrest";

it("[P6] splits text at the same places, however its bytes are cut", () => {
  const bytes = Buffer.from(TEXT);
  for (let size = 1; size <= bytes.length; size += 1) {
    const lines = new LineSplitter();
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)));
    expect([...found, ...lines.push("\n")]).toEqual(TEXT.split("\n"));
  }
});
