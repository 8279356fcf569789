import { describe, expect, it } from "vitest";
import { noFullOutput } from "../../../test/support/no-full-output.ts";
import type { FullOutputStore, OutputLimits } from "./output-cutter.ts";
import { truncate, truncateContent } from "./truncate.ts";

const LIMITS: OutputLimits = { maxLines: 2000, maxBytes: 50_000, keep: "head" };

function kept(path = "/outputs/s/c.txt"): { store: FullOutputStore; whole: () => string; opened: () => number } {
  const chunks: Buffer[] = [];
  let opened = 0;
  const store: FullOutputStore = {
    open: () => {
      opened++;
      return { write: (chunk) => void chunks.push(Buffer.from(chunk)), close: () => path };
    },
  };
  return { store, whole: () => Buffer.concat(chunks).toString("utf8"), opened: () => opened };
}

function lines(count: number, line = (index: number): string => `line ${index}`): string {
  return Array.from({ length: count }, (_, index) => line(index + 1)).join("\n");
}

describe("[P7] content within the limits is unchanged", () => {
  const cases: Record<string, string> = {
    "an empty output": "",
    "a single newline": "\n",
    "2,000 lines": lines(2000),
    "2,000 lines with a final newline": `${lines(2000)}\n`,
    "50,000 bytes in one line": "x".repeat(50_000),
    "50,000 bytes of wide characters": "é".repeat(25_000),
    "50,000 bytes in 2,000 lines": `${"y".repeat(24)}\n`.repeat(2000),
  };
  for (const [name, text] of Object.entries(cases)) {
    for (const keep of ["head", "tail", "both"] as const) {
      it(`[P7] ${name}, keep ${keep}`, () => {
        const store = kept();
        expect(truncate(text, { ...LIMITS, keep }, store.store)).toEqual({ text });
        expect(store.opened()).toBe(0);
      });
    }
  }
});

describe("[P7] the head is kept", () => {
  it("[P7] 3,000 short lines lose 1,000", () => {
    const whole = lines(3000);
    const store = kept();
    const cut = truncate(whole, LIMITS, store.store);
    expect(cut.text).toBe(`${lines(2000)}\n[truncated: 1000 lines omitted; full output: /outputs/s/c.txt]`);
    expect(cut.truncated).toEqual({
      keptBytes: Buffer.byteLength(`${lines(2000)}\n`),
      totalBytes: Buffer.byteLength(whole),
      omittedLines: 1000,
      fullOutput: "/outputs/s/c.txt",
    });
    expect(store.whole()).toBe(whole);
  });

  it("[P7] 2,001 lines lose one, with and without a final newline", () => {
    const notice = "[truncated: 1 lines omitted]";
    expect(truncate(lines(2001), LIMITS, noFullOutput).text).toBe(`${lines(2000)}\n${notice}`);
    expect(truncate(`${lines(2001)}\n`, LIMITS, noFullOutput).text).toBe(`${lines(2000)}\n${notice}`);
    expect(truncate(`${lines(2000)}\n\n`, LIMITS, noFullOutput).text).toBe(`${lines(2000)}\n${notice}`);
  });

  it("[P7] cuts one line of 1 MB", () => {
    const whole = "z".repeat(1_048_576);
    const store = kept();
    const cut = truncate(whole, LIMITS, store.store);
    expect(cut.text).toBe(`${"z".repeat(50_000)}\n[truncated: 998576 bytes omitted; full output: /outputs/s/c.txt]`);
    expect(cut.truncated).toMatchObject({ keptBytes: 50_000, totalBytes: 1_048_576, omittedLines: 0 });
    expect(store.whole()).toBe(whole);
  });

  it("[P7] 50,001 bytes lose one", () => {
    expect(truncate("x".repeat(50_001), LIMITS, noFullOutput).text).toBe(
      `${"x".repeat(50_000)}\n[truncated: 1 bytes omitted]`,
    );
  });

  for (const [bytes, character] of [
    [2, "é"],
    [3, "漢"],
    [4, "😀"],
  ] as const) {
    for (let room = 0; room < bytes; room++) {
      it(`[P7] a character of ${bytes} bytes with ${room} bytes of room is left out whole`, () => {
        const limits = { ...LIMITS, maxBytes: 10 + room };
        const cut = truncate(`${"a".repeat(10)}${character}b`, limits, noFullOutput);
        expect(cut.text).toBe(`aaaaaaaaaa\n[truncated: ${bytes + 1} bytes omitted]`);
        expect(cut.truncated?.keptBytes).toBe(10);
      });
    }
    it(`[P7] a character of ${bytes} bytes that just fits is kept`, () => {
      const cut = truncate(`${"a".repeat(10)}${character}b`, { ...LIMITS, maxBytes: 10 + bytes }, noFullOutput);
      expect(cut.text).toBe(`aaaaaaaaaa${character}\n[truncated: 1 bytes omitted]`);
    });
  }

  it("[P7] with CRLF, a carriage return stays with its line and no line is counted twice", () => {
    const cut = truncate("one\r\ntwo\r\nthree\r\n", { ...LIMITS, maxLines: 2 }, noFullOutput);
    expect(cut.text).toBe("one\r\ntwo\r\n[truncated: 1 lines omitted]");
    expect(cut.truncated).toEqual({ keptBytes: 10, totalBytes: 17, omittedLines: 1 });
  });

  it("[P7] if both limits are exceeded, the first one reached cuts, and the notice uses its unit", () => {
    const text = "12345678\n".repeat(10);
    expect(truncate(text, { maxLines: 3, maxBytes: 40, keep: "head" }, noFullOutput).text).toBe(
      "12345678\n12345678\n12345678\n[truncated: 7 lines omitted]",
    );
    expect(truncate(text, { maxLines: 5, maxBytes: 20, keep: "head" }, noFullOutput)).toEqual({
      text: "12345678\n12345678\n12\n[truncated: 70 bytes omitted]",
      truncated: { keptBytes: 20, totalBytes: 90, omittedLines: 7 },
    });
    expect(truncate(text, { maxLines: 2, maxBytes: 18, keep: "head" }, noFullOutput).text).toBe(
      "12345678\n12345678\n[truncated: 8 lines omitted]",
    );
  });

  it("[P7] limits too small for any content leave only the notice", () => {
    expect(truncate("é", { maxLines: 5, maxBytes: 1, keep: "head" }, noFullOutput).text).toBe(
      "[truncated: 2 bytes omitted]",
    );
    expect(truncate("a\nb", { maxLines: 0, maxBytes: 9, keep: "head" }, noFullOutput).text).toBe(
      "[truncated: 2 lines omitted]",
    );
  });

  it("[P7] a file that could not be completed is not mentioned", () => {
    const store: FullOutputStore = { open: () => ({ write: () => {}, close: () => undefined }) };
    const cut = truncate("a\nb\n", { ...LIMITS, maxLines: 1 }, store);
    expect(cut.text).toBe("a\n[truncated: 1 lines omitted]");
    expect(cut.truncated).toEqual({ keptBytes: 2, totalBytes: 4, omittedLines: 1 });
  });

  it("[P7] half a surrogate pair becomes the replacement character", () => {
    expect(truncate("a\ud83d", LIMITS, noFullOutput).text).toBe("a\ufffd");
    expect(truncate("a\ud83db\nc", { ...LIMITS, maxLines: 1 }, noFullOutput).text).toBe(
      "a\ufffdb\n[truncated: 1 lines omitted]",
    );
  });
});

describe("[P7] the tail is kept", () => {
  const tail = { ...LIMITS, keep: "tail" } as const;

  it("[P7] keeps the last lines, and the notice is still last", () => {
    const store = kept();
    expect(truncate("a\nb\nc\nd\n", { ...tail, maxLines: 2 }, store.store)).toEqual({
      text: "c\nd\n[truncated: 2 lines omitted; full output: /outputs/s/c.txt]",
      truncated: { keptBytes: 4, totalBytes: 8, omittedLines: 2, fullOutput: "/outputs/s/c.txt" },
    });
    expect(store.whole()).toBe("a\nb\nc\nd\n");
    expect(truncate("a\nb\nc\nd", { ...tail, maxLines: 2 }, noFullOutput).text).toBe(
      "c\nd\n[truncated: 2 lines omitted]",
    );
  });

  it("[P7] keeps the last bytes, starting at a whole character", () => {
    expect(truncate("x漢abc", { ...tail, maxBytes: 5 }, noFullOutput)).toEqual({
      text: "abc\n[truncated: 4 bytes omitted]",
      truncated: { keptBytes: 3, totalBytes: 7, omittedLines: 0 },
    });
    expect(truncate("x漢abc", { ...tail, maxBytes: 6 }, noFullOutput).text).toBe("漢abc\n[truncated: 1 bytes omitted]");
  });

  it("[P7] reports a cut in lines if whole lines fill the bytes exactly", () => {
    expect(truncate("one\ntwo\nsix\n", { maxLines: 2, maxBytes: 8, keep: "tail" }, noFullOutput).text).toBe(
      "two\nsix\n[truncated: 1 lines omitted]",
    );
  });
});

describe("[P7] both ends are kept", () => {
  const both = { ...LIMITS, keep: "both" } as const;

  it("[P7] keeps half of the lines from each end", () => {
    const store = kept();
    expect(truncate("1\n2\n3\n4\n5\n6\n7\n", { ...both, maxLines: 4 }, store.store)).toEqual({
      text: "1\n2\n[... 3 lines omitted here ...]\n6\n7\n[truncated: 3 lines omitted; full output: /outputs/s/c.txt]",
      truncated: { keptBytes: 8, totalBytes: 14, omittedLines: 3, fullOutput: "/outputs/s/c.txt" },
    });
    expect(store.whole()).toBe("1\n2\n3\n4\n5\n6\n7\n");
  });

  it("[P7] keeps half of the bytes from each end", () => {
    expect(truncate("abcdefghij", { ...both, maxBytes: 4 }, noFullOutput)).toEqual({
      text: "ab\n[... 6 bytes omitted here ...]\nij\n[truncated: 6 bytes omitted]",
      truncated: { keptBytes: 4, totalBytes: 10, omittedLines: 0 },
    });
  });

  it("[P7] an odd limit favours the head", () => {
    expect(truncate("a\nb\nc\n", { ...both, maxLines: 1 }, noFullOutput).text).toBe(
      "a\n[... 2 lines omitted here ...]\n[truncated: 2 lines omitted]",
    );
  });
});

describe("[P7] content", () => {
  const image = { type: "image", data: "AA==", mimeType: "image/png" } as const;

  it("[P7] text parts share one limit, and other parts keep their position", () => {
    const content = [image, { type: "text", text: "a\nb" }, image, { type: "text", text: "c\nd" }] as const;
    const cut = truncateContent(content, { ...LIMITS, maxLines: 3 }, noFullOutput);
    expect(cut.content).toEqual([image, { type: "text", text: "a\nb\nc\n[truncated: 1 lines omitted]" }, image]);
    expect(cut.truncated?.omittedLines).toBe(1);
  });

  it("[P7] content within the limits is returned as the same object", () => {
    const content = [{ type: "text", text: "a" }, image] as const;
    expect(truncateContent(content, LIMITS, noFullOutput)).toEqual({ content });
  });
});
