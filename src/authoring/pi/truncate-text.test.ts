import { describe, expect, it } from "vitest";
import { DEFAULT_MAX_BYTES, formatSize, truncateHead, truncateLine, truncateTail } from "./truncate-text.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `l${index + 1}`).join("\n");

describe("[A9] truncation helpers of pi", () => {
  it("keep a text within the limits, with its last newline", () => {
    for (const truncate of [truncateHead, truncateTail]) {
      expect(truncate("a\nb\n")).toEqual({
        content: "a\nb\n",
        truncated: false,
        truncatedBy: null,
        totalLines: 2,
        totalBytes: 4,
        outputLines: 2,
        outputBytes: 4,
        lastLinePartial: false,
        firstLineExceedsLimit: false,
        maxLines: 2000,
        maxBytes: DEFAULT_MAX_BYTES,
      });
      expect(truncate("")).toMatchObject({ content: "", truncated: false, totalLines: 0, totalBytes: 0 });
    }
  });

  it.each([
    ["head, by lines", truncateHead, { maxLines: 2 }, { content: "l1\nl2", truncatedBy: "lines", outputLines: 2 }],
    ["tail, by lines", truncateTail, { maxLines: 2 }, { content: "l4\nl5", truncatedBy: "lines", outputLines: 2 }],
    ["head, by bytes", truncateHead, { maxBytes: 7 }, { content: "l1\nl2", truncatedBy: "bytes", outputBytes: 5 }],
    ["tail, by bytes", truncateTail, { maxBytes: 7 }, { content: "l4\nl5", truncatedBy: "bytes", outputBytes: 5 }],
    ["head, both at once", truncateHead, { maxLines: 2, maxBytes: 5 }, { content: "l1\nl2", truncatedBy: "lines" }],
  ] as const)("keeps the %s", (_what, truncate, options, expected) => {
    expect(truncate(lines(5), options)).toMatchObject({ ...expected, truncated: true, totalLines: 5, totalBytes: 14 });
  });

  it("keep nothing of the head if the first line exceeds the limit", () => {
    expect(truncateHead("long line\nb", { maxBytes: 4 })).toMatchObject({
      content: "",
      truncatedBy: "bytes",
      firstLineExceedsLimit: true,
      outputLines: 0,
    });
  });

  it("keep the end of a last line over the limit, in whole characters", () => {
    expect(truncateTail("a\nüüüü", { maxBytes: 5 })).toMatchObject({
      content: "üü",
      truncatedBy: "bytes",
      lastLinePartial: true,
      outputBytes: 4,
    });
  });

  it("cut lines by characters, and format sizes", () => {
    expect(truncateLine("abc", 2)).toEqual({ text: "ab... [truncated]", wasTruncated: true });
    expect(truncateLine("abc")).toEqual({ text: "abc", wasTruncated: false });
    expect([512, 2048, 3 * 1024 * 1024].map(formatSize)).toEqual(["512B", "2.0KB", "3.0MB"]);
  });
});
