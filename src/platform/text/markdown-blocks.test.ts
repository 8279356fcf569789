import { describe, expect, it } from "vitest";
import { type SplitText, splitMarkdown, toRender } from "./markdown-blocks.ts";

function shapes(text: string): string[] {
  return splitMarkdown(text).blocks.map(({ kind, text, language }) => `${kind}${language && ` ${language}`}: ${text}`);
}

const TEXTS = [
  "A\nB\n\nC\n\n\nD",
  "Text\n```ts\na\n\nb\n```\nafter",
  "~~~\n```\n\n~~~\nx",
  "- a\n\n- b\n\n  more of b\n- c\n\nText",
  "1. a\n\n   ```js\n   x\n\n   y\n   ```\n2. b\n\nEnd",
  "- ```\n  a\n\n  b\n  ```\n- c\nlazy\n\nEnd",
  "- ```\n  a\nout of the list",
  "    code\n\n    more code\n\ntext",
  "| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd",
  "> quote\n> ```\n> code\n\nEnd",
  "<div>\n\n```\n</div>\n```\n<b>",
  "```\nnot closed\n\n- a",
  "- a\n- b\n---\n\n1",
  "Heading\n===\n\n1\n\n2. x",
  "# A\ntext\n## B\n#no heading\n- a\n# C\n  # d",
  "a\r\n\r\nb\r\n```x y\r\nc\r\n```\r\n",
  `${Array.from({ length: 120 }, (_, n) => `${n + 1}. item\n   more`).join("\n")}\n\nEnd`,
  "",
  "\n\n\n",
  "``` not `a fence\n\nb",
];

describe("Markdown in blocks", () => {
  it.each<[string, readonly string[]]>([
    ["A\nB\n\nC", ["markdown: A\nB", "markdown: C"]],
    ["Text\n```ts\na\n\nb\n```\nafter", ["markdown: Text", "code ts: a\n\nb", "markdown: after"]],
    ["~~~\n```\n\n~~~\nx", ["code: ```\n", "markdown: x"]],
    ["- a\n\n- b\n\n  more\n\nText", ["markdown: - a\n\n- b\n\n  more", "markdown: Text"]],
    [
      "1. a\n\n   ```js\n   x\n\n   y\n   ```\n\nE",
      ["markdown: 1. a\n\n   ```js\n   x\n\n   y\n   ```", "markdown: E"],
    ],
    ["- ```\n  a\n\n  b\n  ```\n- c\n\nE", ["markdown: - ```\n  a\n\n  b\n  ```\n- c", "markdown: E"]],
    ["    code\n\n    more\n\nE", ["markdown:     code\n\n    more", "markdown: E"]],
    ["```\nnot closed\n\n- a", ["code: not closed\n\n- a"]],
    ["# A\ntext\n## B\n#x", ["markdown: # A\ntext", "markdown: ## B\n#x"]],
    ["````\n```\n````\nE", ["code: ```", "markdown: E"]],
    ["> a\n> ```\n\nE", ["markdown: > a\n> ```", "markdown: E"]],
    ["\n\n", []],
  ])("[U4] %j", (text, expected) => {
    expect(shapes(text)).toEqual(expected);
  });

  it.each(TEXTS)("[U4] are the same while the text grows: %j", (text) => {
    let split: SplitText | undefined;
    const step = text.length < 200 ? 1 : 17;
    for (let length = 0; length <= text.length; length += step) {
      split = splitMarkdown(text.slice(0, length), split);
      expect(split.blocks, `after ${length} characters`).toEqual(splitMarkdown(text.slice(0, length)).blocks);
    }
  });

  it("[U4] keeps the blocks before the last ones while a text grows", () => {
    const paragraphs = Array.from({ length: 500 }, (_, n) => `Paragraph ${n}`).join("\n\n");
    const before = splitMarkdown(paragraphs);
    const after = splitMarkdown(`${paragraphs} grows`, before);
    expect(after.blocks.filter((block, n) => block !== before.blocks[n])).toHaveLength(2);
    expect(splitMarkdown("Another text", before).blocks).toHaveLength(1);
  });

  it("[U4] a long list is split between its items", () => {
    const list = Array.from({ length: 120 }, (_, n) => `${n + 1}. item`).join("\n");
    expect(splitMarkdown(list).blocks.map(({ text }) => text.split("\n")[0])).toEqual([
      "1. item",
      "52. item",
      "103. item",
    ]);
  });

  it("[U4] short blocks are rendered together, long ones alone", () => {
    const long = "word ".repeat(400).trim();
    const split = splitMarkdown(`a\n\n- b\n\n\`\`\`\nc\n\`\`\`\nd\n\n${long}\n\ne`);
    expect(toRender(split).map(({ text }) => text)).toEqual(["a\n\n- b", "c", "d", long, "e"]);
  });

  it("[U4] a link by reference gets its definition from another block; footnotes stay text", () => {
    const long = "word ".repeat(400).trim();
    const split = splitMarkdown(`See [docs].\n\n${long}\n\nNo link[^1]\n\n[docs]: https://a.example\n\n[^1]: Note`);
    expect(toRender(split).map(({ text }) => text)).toEqual([
      "See [docs].\n\n[docs]: https://a.example",
      long,
      "No link[^1]\n\n[docs]: https://a.example\n\n\\[^1]: Note",
    ]);
  });

  it.each<[string, string]>([
    ["a very long line", "x".repeat(20_001)],
    ["deep quotes", ">".repeat(3_000)],
    ["deep quotes with spaces", "> ".repeat(3_000)],
    ["deep lists on one line", "- ".repeat(3_000)],
    ["deep numbered lists on one line", "1. ".repeat(3_000)],
    ["deep lists by indentation", Array.from({ length: 60 }, (_, n) => `${"  ".repeat(n)}- a`).join("\n")],
    ["many brackets", "[".repeat(3_000)],
    ["many closing brackets", "]".repeat(3_000)],
    ["many emphases", "*a_ ".repeat(1_000)],
    ["many backticks", "`a``b```c".repeat(1_000)],
    ["a huge table", `|a|b|\n|-|-|\n${"|x|y|\n".repeat(2_000)}`],
    ["many lines", "a\n".repeat(2_000)],
  ])("[X1] are plain text if they would take long to parse: %s", (_, text) => {
    expect(new Set(splitMarkdown(text).blocks.map(({ kind }) => kind))).toEqual(new Set(["plain"]));
  });

  it.each<[string, string]>([
    ["paragraphs", "some *words* of prose\n\n"],
    ["list items", "- a\n\n"],
    ["code blocks", "```\n```\n"],
    ["quotes", "> a\n\n"],
    ["definitions", "[x]: http://a 'b'\n\n"],
    ["single letters", "a\n\n"],
  ])("[X1] the rest of a very long text is one plain block: %s", (_, piece) => {
    const text = piece.repeat(20_000);
    const blocks = toRender(splitMarkdown(text));
    expect(blocks.length).toBeLessThan(5_000);
    expect(blocks.filter(({ kind }) => kind === "plain")).toHaveLength(1);
    const last = blocks.at(-1);
    expect(last).toMatchObject({ kind: "plain", text: text.slice(last?.start) });
  });
});
