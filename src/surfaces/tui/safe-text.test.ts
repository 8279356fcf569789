import { CURSOR_MARKER } from "@earendil-works/pi-tui";
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { lastWritten, safeLine, safeStyled, safeText } from "./safe-text.ts";

const COPIED = Buffer.from("rm -rf /").toString("base64");

const TABLE: readonly (readonly [what: string, text: string, safe: string])[] = [
  ["text", "Grüße, 你好, שלום, مرحبا 👩‍👩‍👧‍👦", "Grüße, 你好, שלום, مرحبا 👩‍👩‍👧‍👦"],
  ["lines", "a\nb\r\nc\u2028d", "a\nb\nc\nd"],
  ["a tab", "a\tb", "a    b"],
  ["SGR", "\x1b[1;31mred\x1b[0m", "red"],
  ["the cursor", "a\x1b[2J\x1b[H\x1b[10;10Hb\x1b[1Ac", "abc"],
  ["private modes", "\x1b[?1049h\x1b[?25la", "a"],
  ["the end of a bracketed paste", "a\x1b[201~b", "ab"],
  ["a CSI sequence without its end", "a\x1b[12;3", "a"],
  ["a CSI sequence that a newline ends", "a\x1b[12;\nb", "a\nb"],
  ["a title", "\x1b]0;owned\x07a\x1b]2;owned\x1b\\b", "ab"],
  ["a link", "\x1b]8;;http://evil.example\x1b\\text\x1b]8;;\x1b\\", "text"],
  ["the clipboard", `a\x1b]52;c;${COPIED}\x07b`, "ab"],
  ["the clipboard, without its end", `a\x1b]52;c;${COPIED}\nb`, "a\nb"],
  ["an OSC sequence within another", "a\x1b]0;x\x1b]0;y\x07b", "ab"],
  ["an OSC sequence that is cancelled", "a\x1b]0;x\x18b\x1b]0;x\x1ac", "abc"],
  ["DCS, SOS, PM, APC", "a\x1bPq#0\x1b\\b\x1bXx\x1b\\c\x1b^x\x1b\\d\x1b_Gf=100;AAAA\x1b\\e", "abcde"],
  ["the cursor marker of pi-tui", `a${CURSOR_MARKER}b`, "ab"],
  ["C1 forms", "a\x9b31mb\x9d0;x\x07c\x90q\x9cd\x9fx\x9ce\x9ef\x9c\x98g\x9ch", "abcdeh"],
  ["a reset of the terminal", "a\x1bcb\x1b7c\x1b(0d\x1b#8e", "abcde"],
  ["an escape character alone", "a\x1b", "a\\x1b"],
  ["two escape characters", "a\x1b\x1b[31mb", "a\\x1bb"],
  ["control characters", "a\x00\x07\x08\x0b\x0c\x7f\x84\x85b", "a\\x00\\x07\\x08\\x0b\\x0c\\x7f\\x84\\x85b"],
  ["a lone string terminator", "a\x9cb", "a\\x9cb"],
  ["bidi controls", "a\u202eb\u2066c\u2069", "a\\u202eb\\u2066c\\u2069"],
  ["marks of direction", "\u200fשלום\u200e", "\u200fשלום\u200e"],
  ["lone surrogates", "a\ud800b\udc00c", "a\ufffdb\ufffdc"],
  ["carriage returns", "rm -rf /\recho hello\r\nnext\r", "rm -rf /\necho hello\nnext\n"],
  ["an erased line", "old\r\x1b[2Knew", "old\nnew"],
  ["many marks", `a${"\u0301".repeat(50)}b`, `a${"\u0301".repeat(8)}b`],
  ["Devanagari", "क्षत्रिय नमस्ते", "क्षत्रिय नमस्ते"],
  ["a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["too many joined emoji", "👩\u200d".repeat(5), "👩\u200d👩\u200d👩\u200d👩👩\u200d"],
  ["initial jamo", "ᄀᄀ한", "ᄀ\u200bᄀ한"],
  ["skin tones", "👍🏻 a🏻🏻", "👍🏻 a\u200b🏻\u200b🏻"],
  ["skin tones that are safe", "a\u200b🏻\u200b🏻", "a\u200b🏻\u200b🏻"],
];

describe("[U2] text of tools and models", () => {
  it.each(TABLE)("is safe: %s", (_what, text, safe) => {
    expect(safeText(text)).toBe(safe);
  });

  it("is one line where one is expected", () => {
    expect(safeLine("a\nb\r\nc\x1b[2Jd\u2028e")).toBe("a b cd e");
  });

  it("has no control characters, whatever it is, and safe text stays as it is", () => {
    const special = [
      ..."\x1b\x9b\x9c\x07[]1;m\n\r\t\u2028👩👍❤🇩🏻🏽\ufe0f\u200b\u200c\u200d\u{e0041}\u0301ᄀ한",
      "\ud83d",
      "\udc00",
    ];
    const part = oneof(string({ unit: "binary", maxLength: 3 }), constantFrom(...special));
    assert(
      property(array(part, { maxLength: 60 }), (parts) => {
        const safe = safeText(parts.join(""));
        expect(safe).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
        expect(safe.isWellFormed()).toBe(true);
        expect(safeText(safe)).toBe(safe);
      }),
      { numRuns: 500 },
    );
  });

  it("is the same if each line is made safe on its own", () => {
    const line = string({ unit: "binary", maxLength: 30 });
    assert(
      property(line, line, (one, other) => {
        const first = `${one}\x1b]${other}\n`;
        expect(safeText(first + one)).toBe(safeText(first) + safeText(one));
      }),
    );
  });

  it("is one line that hides nothing", () => {
    expect(safeLine("rm -rf /\recho hello")).toBe("rm -rf / echo hello");
  });

  it("may be a line of 5 MB", () => {
    const text = "\x1b[1mwörd ".repeat(600_000);
    expect(safeText(text)).toBe("wörd ".repeat(600_000));
  });

  it.each([
    ["letters", "x"],
    ["escape characters", "\x1b"],
    ["unfinished titles", "\x1b]0;"],
    ["unfinished CSI sequences", "\x1b[1"],
    ["carriage returns", "a\r"],
    ["marks", "\u0301"],
    ["joiners", "👩\u200d"],
    ["skin tones", "🏻"],
    ["a title", "x", "\x1b]0;"],
    ["parameters", "1", "\x1b["],
    ["a selector of an emoji", "\ufe0f", "👩"],
    ["skin tones of an emoji", "🏻", "👩"],
    ["jamo", "ᄀ"],
  ])("takes linear time for 300 KB of %s on one line", (_what, unit, start = "") => {
    const text = start + unit.repeat(Math.ceil(300_000 / unit.length));
    expect(safeText(text).length).toBeLessThan(2_000_000);
    expect(safeStyled(text, true).length).toBeLessThan(2_000_000);
  });
});

describe("[U5] lines with colours", () => {
  it.each([
    ["a colour", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m"],
    ["an open colour", "a\x1b[32mb", "a\x1b[32mb\x1b[0m"],
    ["one line", "\x1b[31ma\nb\r\x1b[1mc", "\x1b[31ma b \x1b[1mc\x1b[0m"],
    ["palette and true colour", "\x1b[38;5;208;48;2;1;2;999mx", "\x1b[38;5;208;48;2;1;2;255mx\x1b[0m"],
    ["the C1 form", "\x9b1mx", "\x1b[1mx\x1b[0m"],
    ["a reset", "\x1b[1mx\x1b[my", "\x1b[1mx\x1b[0my"],
    ["blinking, hidden", "\x1b[5;8;1mx\x1b[8my", "\x1b[1mxy\x1b[0m"],
    ["too many parameters", `\x1b[${"1;".repeat(100)}mx`, "x"],
    ["parameters of another form", "\x1b[4:3mx\x1b[>4;2my", "xy"],
    ["other sequences", "a\x1b[2Jb\x1b]0;t\x07c", "abc"],
  ])("keep %s", (_what, text, safe) => {
    expect(safeStyled(text, true)).toBe(safe);
  });

  it("have none without colour", () => {
    expect(safeStyled("\x1b[31mred\x1b[0m\n\x9b1mbold", false)).toBe("red bold");
  });
});

describe("[U2] a line of output with carriage returns", () => {
  it.each([
    ["10 %\r50 %\r100 %", "100 %"],
    ["10 %\r100 %\r", "100 %"],
    ["10 %\r100 %\r\x1b[K\x1b[0m", "100 %"],
    ["text", "text"],
    ["\r\r", ""],
  ])("%j is shown as %j", (line, shown) => {
    expect(lastWritten(line)).toBe(shown);
  });

  it("takes linear time", () => {
    expect(lastWritten("\r".repeat(300_000))).toBe("");
  });
});
