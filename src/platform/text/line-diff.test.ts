import { describe, expect, it } from "vitest";
import { type DiffLine, diffTexts, type FileDiff, readPatch } from "./line-diff.ts";

const SIGNS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "-", gap: "…" };

function shown({ path, lines, added, removed }: FileDiff): string[] {
  return [
    `${path} +${added} -${removed}`,
    ...lines.map(({ kind, text, line }) => `${line ?? ""}${SIGNS[kind]}${text}`),
  ];
}

const TEN = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join("");

describe("the lines that two texts do not share", () => {
  it.each<[string, string, string, boolean, string[]]>([
    ["nothing", "", "", true, [" +0 -0"]],
    ["a new file", "", "a\nb\n", true, [" +2 -0", "1+a", "2+b"]],
    ["a removed text", "a\nb", "", false, [" +0 -2", "-a", "-b"]],
    ["a changed line", "a\nb\nc", "a\nB\nc", false, [" +1 -1", " a", "-b", "+B", " c"]],
    ["a changed line of a file", "a\nb\nc", "a\nB\nc", true, [" +1 -1", "1 a", "2-b", "2+B", "3 c"]],
    [
      "a change far below",
      TEN,
      TEN.replace("line 8", "LINE 8"),
      true,
      [" +1 -1", "…", "5 line 5", "6 line 6", "7 line 7", "8-line 8", "8+LINE 8", "9 line 9", "10 line 10"],
    ],
    [
      "two changes far from each other",
      TEN,
      TEN.replace("line 1\n", "").replace("line 10\n", ""),
      false,
      [" +0 -2", "-line 1", " line 2", " line 3", " line 4", "…", " line 7", " line 8", " line 9", "-line 10"],
    ],
    ["lines that moved", "a\nb\nc\nd\n", "b\nx\nd\na\n", true, [" +2 -2", "1-a", "1 b", "3-c", "2+x", "3 d", "4+a"]],
    ["the same text", "a\n", "a\n", true, [" +0 -0"]],
    ["other line breaks", "a\r\nb\r\n", "a\nb\nc\n", false, [" +1 -0", " a", " b", "+c"]],
    ["no line break at the end", "a", "b", false, [" +1 -1", "-a", "+b"]],
  ])("are shown of %s", (_, before, after, isWhole, lines) => {
    expect(shown(diffTexts(before, after, { isWhole }))).toEqual(lines);
  });

  it("are all lines if the texts are too long or too different to be compared", () => {
    const numbers = (from: number): string => Array.from({ length: 2_000 }, (_, index) => `${from + index}\n`).join("");
    expect(diffTexts(numbers(0), numbers(5_000), { isWhole: true })).toMatchObject({
      ...{ added: 2_000, removed: 2_000, omitted: 2_000 },
    });
    const long = "x".repeat(300_000);
    expect(diffTexts(`${long}\na`, `${long}\nb`, { isWhole: true })).toMatchObject({ added: 2, removed: 2 });
  });
});

describe("a patch", () => {
  it.each<[string, string, string[][]]>([
    [
      "of a unified diff",
      "--- a.ts\n+++ a.ts\n@@ -4,3 +4,3 @@\n one\n-two\n+2\n three\n",
      [["a.ts +1 -1", "…", "4 one", "5-two", "5+2", "6 three"]],
    ],
    [
      "of git, with two files",
      "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@ head\n-a\n+b\n\\ No newline at end of file\ndiff --git a/y b/y\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+c\n",
      [
        ["x +1 -1", "1-a", "1+b"],
        ["y +1 -0", "1+c"],
      ],
    ],
    ["of a file that is deleted", "--- a/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n", [["gone +0 -1", "1-a"]]],
    [
      "whose lines look like names of files",
      "--- a\n+++ a\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n",
      [["a +1 -1", "1--- old", "1+++ new", "2 same"]],
    ],
    [
      "of a model",
      "*** Begin Patch\n*** Update File: src/a.ts\n@@ function a\n one\n-two\n+2\n@@\n-x\n*** Add File: b.ts\n+new\n*** End Patch\n",
      [
        ["src/a.ts +1 -2", " one", "-two", "+2", "…", "-x"],
        ["b.ts +1 -0", "+new"],
      ],
    ],
    ["without a file", "@@ -1 +1 @@\n-a\n+b", [[" +1 -1", "1-a", "1+b"]]],
    ["that is cut", "--- a\n+++ a\n@@ -1,9 +1,9 @@\n-a", [["a +0 -1", "1-a"]]],
    ["that is no patch", "Hello\nworld", []],
    ["that is empty", "", []],
  ])("%s is read", (_, patch, files) => {
    expect(readPatch(patch).map(shown)).toEqual(files);
  });
});
