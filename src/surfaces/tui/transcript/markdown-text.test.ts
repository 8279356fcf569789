import { describe, expect, it } from "vitest";
import { createChatTheme } from "../chat-theme.ts";
import { MarkdownText } from "./markdown-text.ts";

const TEXT = `# Title

Some *text* with a [link](https://example.org/a) and \`code\`.

- one
- two

\`\`\`js
const a = 1;

a();
\`\`\`

| a | b |
|---|---|
| 1 | 2 |
`;

function create(onHighlight: (code: string) => void = () => {}): {
  text: MarkdownText;
  append: (part: string) => void;
  waits: number[];
} {
  const waits: number[] = [];
  const text = new MarkdownText({
    theme: createChatTheme({ color: false }),
    highlight: (code) => {
      onHighlight(code);
      return code.split("\n");
    },
    later: (ms) => waits.push(ms),
  });
  let all = "";
  const append = (part: string): void => {
    all += part;
    text.set(all);
  };
  return { text, append, waits };
}

describe("[U2] streamed Markdown", () => {
  it("is rendered", () => {
    const { text } = create();
    text.set(TEXT);
    text.finish();
    expect(text.rows(60)).toEqual([
      "Title",
      "",
      "Some text with a link (https://example.org/a) and code.",
      "",
      "- one",
      "- two",
      "",
      "```js",
      "  const a = 1;",
      "  ",
      "  a();",
      "```",
      "",
      "┌───┬───┐",
      "│ a │ b │",
      "├───┼───┤",
      "│ 1 │ 2 │",
      "└───┴───┘",
    ]);
  });

  it("looks the same whether it arrives at once or in parts", () => {
    for (const size of [1, 2, 7, 50]) {
      const { text, append } = create();
      for (let at = 0; at < TEXT.length; at += size) {
        append(TEXT.slice(at, at + size));
        text.rows(30);
      }
      text.finish();
      const { text: whole } = create();
      whole.set(TEXT);
      whole.finish();
      expect(text.rows(30)).toEqual(whole.rows(30));
    }
  });

  it("is safe, also if an escape sequence arrives in parts", () => {
    const { text, append } = create();
    for (const part of ["a\x1b", "]0;ti", "tle\x07b\x1b[2", "J\n\n**c**\x9b", "31md"]) {
      append(part);
      text.rows(40);
    }
    text.finish();
    expect(text.rows(40)).toEqual(["ab", "", "cd"]);
  });

  it("parses finished blocks once", () => {
    const codes: string[] = [];
    const { text, append } = create((code) => codes.push(code));
    append("```js\nfirst\n```\n\nThen\n\n");
    text.rows(40);
    const before = codes.length;
    for (let n = 0; n < 100; n++) {
      append(`word ${n} `);
      text.rows(40);
    }
    expect(codes.slice(before)).toEqual([]);
  });

  it("highlights growing code now and then, and all of it in the end", () => {
    const codes: string[] = [];
    const { text, append, waits } = create((code) => codes.push(code));
    append(`\`\`\`js\n${"x();\n".repeat(1_000)}`);
    text.rows(40);
    for (let n = 0; n < 100; n++) {
      append(`y${n}();\n`);
      text.rows(40);
    }
    expect(codes.length).toBeLessThan(50);
    expect(waits.length).toBeGreaterThan(0);
    text.finish();
    expect(text.rows(40)).toHaveLength(1_000 + 100 + 2);
    expect(codes.at(-1)).toContain("y99();");
  });

  it("takes a part of the time while it grows, in which the last rows are shown", async () => {
    const { text, append, waits } = create();
    append("word ".repeat(20_000));
    const before = text.rows(40);
    append("end");
    expect(text.rows(40)).toBe(before);
    const [wait = 0] = waits;
    expect(wait).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, wait + 5));
    expect(text.rows(40).at(-1)).toMatch(/end$/);
  });

  it("is plain text if it would take long to parse", () => {
    const { text } = create();
    text.set(`${"*a ".repeat(2_000)}\n${"> ".repeat(5_000)}`);
    text.finish();
    expect(text.rows(40)[0]).toBe("*a *a *a *a *a *a *a *a *a *a *a *a *a");
  });
});
