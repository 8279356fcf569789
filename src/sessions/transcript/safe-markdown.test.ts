import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { random } from "../../../test/support/random.ts";
import { escapedText, fenced, quoted, safeProse } from "./safe-markdown.ts";

/** The tags in the HTML of a document. */
function tagsIn(markdown: string): string[] {
  const html = marked.parse(markdown, { async: false, gfm: true });
  return [...html.matchAll(/<\/?([^\s>]+)[^>]*>/g)].map(([, name = ""]) => name);
}

const FROM_MARKDOWN =
  /^(?:p|h[1-6]|ul|ol|li|em|strong|del|code|pre|blockquote|hr\/?|br\/?|table|thead|tbody|tr|t[hd]|a)$/;

describe("[X1] prose in a Markdown document", () => {
  it.each<[string, string]>([
    ["**bold** and _this_", "**bold** and _this_"],
    ["a <b>c</b> & d &amp; e", "a &lt;b>c&lt;/b> & d &amp;amp; e"],
    ["`Promise<void>` and `` a`b ``", "\\`Promise&lt;void>\\` and `` a`b ``"],
    ["a ` b and \\` c `", "a ` b and \\` c \\`"],
    ["| `a | <b>` |", "| \\`a | &lt;b>\\` |"],
    ["![x](http://a/b.png) [y](javascript:1)", "!\\[x\\](http://a/b.png) \\[y\\](javascript:1)"],
    ["[x]: http://a <b>", "\\[x\\]: http://a &lt;b>"],
    ["<!-- a\n-->", "&lt;!-- a\n-->"],
    ["```ts\na<b>\n```\nafter", "```ts\na<b>\n```\nafter"],
    ["```js x=`<\na\n```", "\\`\\`\\`js x=\\`&lt;\na\n\\`\\`\\`"],
    ["~~~\n```\n~~~", "````\n```\n````"],
    ["- a\n    ```<script>\n    b\n    ```", "- a\n```\n    b\n```"],
    ["```\nnot closed <b>", "\\`\\`\\`\nnot closed &lt;b>"],
    ["~~~\nnot closed <b>", "\\~\\~\\~\nnot closed &lt;b>"],
    ["a\r\nb\rc\x1b[31m\u009b", "a\nb\\x0dc\\x1b[31m\\x9b".replace("[", "\\[").replaceAll("\\x", "\\\\x")],
  ])("%j", (text, safe) => {
    expect(safeProse(text)).toBe(safe);
  });

  it("never becomes HTML, a link with a script, or an image", () => {
    const pieces = [
      ...[
        "<script>",
        "</blockquote>",
        "<!--",
        "<a href=x>",
        "<img src=x onerror=y>",
        "<?x",
        "<![CDATA[",
        "&lt;i>",
        "<",
      ],
      ...[
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "~~~~",
        "```html",
        "|",
        "|-|",
        "\n|-|-|\n",
        "\\",
        "\n",
        "\n\n",
        "\r",
        "\r\n",
      ],
      ...[
        "- ",
        "1. ",
        "> ",
        "    ",
        "\t",
        "# ",
        "===",
        "---",
        "*",
        "**",
        "_",
        "~~",
        "[x]",
        "(javascript:1)",
        "![",
        "]: ",
      ],
      ...[" ", "a", "$", "$$", "<http://x>", "[^1]", "[x]: <y>"],
    ];
    const next = random(14);
    for (let round = 0; round < 500; round += 1) {
      const length = 1 + Math.floor(next() * 24);
      const text = Array.from({ length }, () => pieces[Math.floor(next() * pieces.length)]).join("");
      for (const document of [quoted(safeProse(text)), escapedText(text), fenced(text)]) {
        const tags = tagsIn(`${document}\n\n## End\n`);
        expect(
          tags.filter((tag) => !FROM_MARKDOWN.test(tag)),
          JSON.stringify(text),
        ).toEqual([]);
        // The document goes on after the content.
        expect(tags.slice(-2), JSON.stringify(text)).toEqual(["h2", "h2"]);
        expect(document).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
      }
    }
  });
});

describe("[X1] a text of 1 MB takes linear time: a quadratic one would take minutes", () => {
  const growing = Array.from({ length: 1_400 }, (_, length) => `${"`".repeat(length + 1)}a`).join("");
  it.each<[string, string]>([
    ["fences", "```\n"],
    ["fences that nothing closes", "```a\n"],
    ["fences that only the other character could close", "```js\n~~~\n"],
    ["fences that only shorter ones could close", "`````js\n~~~~~js\n```\n~~~\n"],
    ["fences with a backtick after spaces", `\`\`\`${" ".repeat(50_000)}\`\n`],
    ["fences with a backtick after a word", `\`\`\`${"a".repeat(50_000)}\`\n`],
    ["runs of backticks of all lengths", growing],
    ["backticks", "`"],
    ["backticks between spaces", "` "],
    ["lines", "x\n"],
    ["brackets", "["],
  ])("%s", (_, piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    for (const convert of [safeProse, escapedText, fenced]) expect(convert(text)).not.toBe("");
  });
});

describe("[X1] text without markup in a Markdown document", () => {
  it.each<[string, string]>([
    ["my_tool failed: *x* (1.2 s)", "my\\_tool failed: \\*x\\* (1.2 s)"],
    ["# a\n> b\n- c\n1. d\n\n=", "\\# a\\\n\\> b\\\n\\- c\\\n1\\. d\\\n\\="],
    ["<b> & &amp; | ~ `x` [y](z)", "&lt;b> & &amp;amp; \\| \\~ \\`x\\` \\[y\\](z)"],
    ["", ""],
  ])("%j", (text, safe) => {
    expect(escapedText(text)).toBe(safe);
  });
});
