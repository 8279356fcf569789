import { describe, expect, it } from "vitest";
import { createChatTheme } from "../chat-theme.ts";
import { BoundedText } from "./bounded-text.ts";

const theme = createChatTheme({ color: false });

describe("[U2] a text of any size", () => {
  it("is shown in full if it is short", () => {
    const text = new BoundedText("a\n\n  b\n", { theme });
    expect(text.collapsed(20, 8)).toEqual(["a", "", "  b"]);
    expect(text.expanded(20)).toEqual(["a", "", "  b"]);
  });

  it("is cut to its first lines, and says how many are left", () => {
    const text = new BoundedText("1\n2\n3\n4\n5", { theme });
    expect(text.collapsed(40, 3)).toEqual(["1", "2", "3", "… 2 more lines (Ctrl-O expands)"]);
    expect(text.collapsed(40, 4)).toEqual(["1", "2", "3", "4", "5"]);
    expect(text.collapsed(12, 1)).toEqual(["1", "… 4 more lin"]);
  });

  it("has one row for a long line if it is collapsed, and all of it if it is expanded", () => {
    const text = new BoundedText("one two three four", { theme });
    expect(text.collapsed(10, 8)).toEqual(["one two t…"]);
    expect(text.expanded(10)).toEqual(["one two", "three four"]);
  });

  it("keeps colours, which end with their line", () => {
    const text = new BoundedText("\x1b[31mred\nplain\x1b]0;t\x07", { theme: createChatTheme({ color: true }) });
    expect(text.collapsed(20, 8)).toEqual(["\x1b[31mred\x1b[0m", "plain"]);
    expect(new BoundedText("\x1b[31mred", { theme }).expanded(20)).toEqual(["red"]);
  });

  it("has at most 2,000 rows", () => {
    const rows = new BoundedText("line\n".repeat(100_000), { theme }).expanded(20);
    expect(rows).toHaveLength(2_001);
    expect(rows.at(-1)).toBe("… 98,000 more lines,");
  });

  it("shows the first 4,000 characters of a line of 5 MB", () => {
    const rows = new BoundedText("x".repeat(5_000_000), { theme }).expanded(100);
    expect(rows).toHaveLength(41);
    expect(rows.at(-1)).toBe("…");
  });

  it("shows the end of a progress bar, but hides nothing in other texts", () => {
    const bar = Array.from({ length: 1_000 }, (_, n) => `${n} of 1000`).join("\r");
    const text = new BoundedText(`${bar}\r\ndone\r\n`, { theme, isOutput: true });
    expect(text.expanded(40)).toEqual(["999 of 1000", "done"]);
    expect(new BoundedText("rm -rf /\recho hello", { theme }).expanded(40)).toEqual(["rm -rf / echo hello"]);
  });

  it("has no row for an empty text, and none that contains a newline", () => {
    expect(new BoundedText("\n\n", { theme }).collapsed(20, 8)).toEqual([]);
    expect(new BoundedText("a\u2028b", { theme }).collapsed(20, 8)).toEqual(["a b"]);
  });
});
