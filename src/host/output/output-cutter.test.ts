import { describe, expect, it } from "vitest";
import { noFullOutput } from "../../../test/support/no-full-output.ts";
import type { Keep } from "../../core/tool.ts";
import type { FullOutputStore } from "./output-cutter.ts";
import { OutputCutter, type OutputLimits } from "./output-cutter.ts";
import { truncate } from "./truncate.ts";

/** A seeded generator, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ALPHABET = ["a", "b", "\n", "\n", "\r\n", "é", "漢", "😀", "\ufeff", "\ud83d", "long enough to matter"];

function randomText(next: (below: number) => number): string {
  return Array.from({ length: next(60) }, () => ALPHABET[next(ALPHABET.length)] ?? "").join("");
}

function randomLimits(next: (below: number) => number): OutputLimits {
  const keep = (["head", "tail", "both"] as const)[next(3)] ?? "head";
  return { maxLines: next(12), maxBytes: next(120), keep };
}

function recording(): { store: FullOutputStore; whole: () => string | undefined } {
  let chunks: Buffer[] | undefined;
  return {
    store: {
      open: () => {
        const own: Buffer[] = [];
        chunks = own;
        return { write: (chunk) => void own.push(Buffer.from(chunk)), close: () => "/whole" };
      },
    },
    whole: () => chunks && Buffer.concat(chunks).toString("utf8"),
  };
}

/** The reference implementation: all lines in an array, all characters one by one. */
function naive(text: string, { maxLines, maxBytes, keep }: OutputLimits): { text: string; keptBytes?: number } {
  const rows = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const total = Buffer.byteLength(text);
  if (rows.length <= maxLines && total <= maxBytes) return { text };
  const share = (limit: number): number => ({ head: limit, tail: 0, both: Math.ceil(limit / 2) })[keep];
  const head = end(rows, share(maxLines), share(maxBytes), false);
  const tail = end(rows, maxLines - share(maxLines), maxBytes - share(maxBytes), true);
  const keptBytes = Buffer.byteLength(head.text) + Buffer.byteLength(tail.text);
  const unit = (keep === "tail" || head.byLines) && (keep === "head" || tail.byLines) ? "lines" : "bytes";
  const omitted = unit === "lines" ? `${rows.length - maxLines} lines omitted` : `${total - keptBytes} bytes omitted`;
  const middle = keep === "both" ? `[... ${omitted} here ...]\n` : "";
  const row = (part: string): string => (part === "" || part.endsWith("\n") ? part : `${part}\n`);
  return { text: `${row(head.text)}${middle}${row(tail.text)}[truncated: ${omitted}; full output: /whole]`, keptBytes };
}

function end(rows: string[], maxLines: number, maxBytes: number, fromEnd: boolean): { text: string; byLines: boolean } {
  const byLines = (fromEnd ? rows.slice(Math.max(0, rows.length - maxLines)) : rows.slice(0, maxLines)).join("");
  if (rows.length > maxLines && Buffer.byteLength(byLines) <= maxBytes) return { text: byLines, byLines: true };
  let text = "";
  const characters = [...rows.join("")];
  for (const character of fromEnd ? characters.reverse() : characters) {
    if (Buffer.byteLength(text + character) > maxBytes) break;
    text = fromEnd ? character + text : text + character;
  }
  return { text, byLines: false };
}

function collect(chunks: readonly (string | Uint8Array)[], limits: OutputLimits, store: FullOutputStore): unknown {
  const cutter = new OutputCutter(limits, store);
  for (const chunk of chunks) cutter.push(chunk);
  return cutter.end();
}

function split<T extends { slice(from: number, to: number): T; length: number }>(
  whole: T,
  next: (below: number) => number,
): T[] {
  const parts: T[] = [];
  for (let at = 0; at < whole.length; ) {
    const size = next(7);
    parts.push(whole.slice(at, at + size));
    at += size;
  }
  return parts;
}

describe("[P7] OutputCutter", () => {
  it("[P7] returns the same as the reference implementation, for 6,000 random outputs", () => {
    const next = random(1);
    for (let round = 0; round < 6000; round++) {
      const text = randomText(next).toWellFormed();
      const limits = randomLimits(next);
      const expected = naive(text, limits);
      const store = recording();
      const cut = truncate(text, limits, store.store);
      expect({ text: cut.text, keptBytes: cut.truncated?.keptBytes }, JSON.stringify({ text, limits })).toEqual(
        expected,
      );
      expect(store.whole()).toBe(cut.truncated ? text : undefined);
    }
  });

  it("[P7] returns the same however the output is split, as text or as bytes", () => {
    const next = random(2);
    for (let round = 0; round < 3000; round++) {
      const text = randomText(next);
      const limits = randomLimits(next);
      const whole = recording();
      const expected = truncate(text, limits, whole.store);
      const inText = recording();
      expect(collect(split(text, next), limits, inText.store), JSON.stringify({ text, limits })).toEqual(expected);
      expect(inText.whole()).toBe(whole.whole());
      const inBytes = recording();
      expect(collect(split(Buffer.from(text), next), limits, inBytes.store)).toEqual(expected);
      expect(inBytes.whole()).toBe(whole.whole());
    }
  });

  it("[P7] keeps characters whole at the boundary of an inner chunk", () => {
    const limits: OutputLimits = { maxLines: 9, maxBytes: 300_000, keep: "head" };
    for (const lead of ["", "a", "ab", "abc"]) {
      const text = lead + "😀".repeat(70_000);
      expect(collect([text], limits, noFullOutput)).toEqual({ text });
      expect(collect([Buffer.from(text)], limits, noFullOutput)).toEqual({ text });
    }
  });

  it("[P7] bytes that are not UTF-8, or end inside a character, become replacement characters", () => {
    const limits: OutputLimits = { maxLines: 9, maxBytes: 90, keep: "head" };
    expect(collect([Uint8Array.of(0x61, 0xff), Uint8Array.of(0xe6, 0xbc)], limits, noFullOutput)).toEqual({
      text: "a\ufffd\ufffd",
    });
    expect(collect([Uint8Array.of(0xe6), "b"], limits, noFullOutput)).toEqual({ text: "\ufffdb" });
  });

  it("[P7] opens the store only when the limits are exceeded, and end() is final", () => {
    const limits: OutputLimits = { maxLines: 2, maxBytes: 90, keep: "head" };
    const { store, whole } = recording();
    const cutter = new OutputCutter(limits, store);
    cutter.push("a\nb\n");
    expect(whole()).toBeUndefined();
    cutter.push("c");
    expect(whole()).toBe("a\nb\nc");
    const cut = cutter.end();
    cutter.push("late");
    expect(cutter.end()).toBe(cut);
    expect(cut.text).toBe("a\nb\n[truncated: 1 lines omitted; full output: /whole]");
  });

  it.each<Keep>(["head", "tail", "both"])("[P7] counts lost lines, keep %s", (keep) => {
    const cut = truncate("aa\nbb\ncc\ndd\nee\n", { maxLines: 100, maxBytes: 7, keep }, noFullOutput);
    expect(cut.truncated?.omittedLines).toBe({ head: 2, tail: 2, both: 2 }[keep]);
  });
});
