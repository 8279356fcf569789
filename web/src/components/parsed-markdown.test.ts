import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { splitMarkdown, toRender } from "../../../src/platform/text/markdown-blocks.ts";
import { Markdown } from "./markdown.tsx";
import { ParsedMarkdown } from "./parsed-markdown.tsx";
import { safeLink } from "./safe-link.ts";

function html(text: string): string {
  return toRender(splitMarkdown(text))
    .map(({ kind, text }) => (kind === "markdown" ? renderToStaticMarkup(createElement(ParsedMarkdown, { text })) : ""))
    .join("");
}

/** Without the icon of the button that copies. */
function tagsIn(markup: string): string[] {
  const others = markup.replace(/<svg class="icon"[^>]*><path d="[^"]*"><\/path><\/svg>/g, "");
  return [...others.matchAll(/<([a-z0-9]+)/g)].map(([, name = ""]) => name);
}

const ALLOWED =
  /^(?:p|h[1-6]|ul|ol|li|em|strong|del|code|pre|figure|figcaption|button|span|blockquote|hr|br|div|table|thead|tbody|tr|t[hd]|a|input)$/;

const HOSTILE = [
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](java\tscript:alert(1))",
  "[a](<java\nscript:alert(1)>)",
  "[a](\u0001javascript:alert(1))",
  "[a](&#106;avascript:alert(1))",
  "[a](&#x6A;&#x61;vascript&colon;alert(1))",
  "[a](javascript&#58;alert(1))",
  "[a](javascript&Tab;:alert(1))",
  "[a](%6aavascript:alert(1))",
  "[a](vbscript:msgbox(1))",
  "[a](data:text/html;base64,PHNjcmlwdD4=)",
  "[a](DATA:text/html,<script>1</script>)",
  "[a](blob:http://x/1)",
  "[a](file:///etc/passwd)",
  "[a](//evil.example/x)",
  "[a](/api/sessions)",
  "[a](../x)",
  "[a](?token=1)",
  "[a](#id)",
  "[a](http:evil)",
  "[a](https://)",
  "[a](https:\\\\evil.example)",
  "[a](https://good.example\\@evil.example)",
  "[a](feed:https://x.example)",
  "[a](view-source:http://x.example)",
  "[a](mailto:)",
  "[a](tel:1)",
  "[a][r]\n\n[r]: javascript:alert(1)",
  "[r]\n\n[r]: <data:text/html,1>",
  "<javascript:alert(1)>",
  "<data:text/html,1>",
  "![a](javascript:alert(1))",
  "![a](http://evil.example/track.png)",
  "![a](data:image/svg+xml,<svg onload=alert(1)>)",
  "![a][r]\n\n[r]: http://evil.example/x.png",
  "[![a](http://evil.example/x.png)](javascript:1)",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "text <img src=x onerror=alert(1)> text",
  "<svg><script>alert(1)</script></svg>",
  "<svg onload=alert(1)>",
  "<iframe src=javascript:alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "<style>*{background:url(http://evil.example)}</style>",
  "<link rel=stylesheet href=http://evil.example>",
  "<base href=http://evil.example>",
  "<meta http-equiv=refresh content=0;url=http://evil.example>",
  "<form action=http://evil.example><input name=x></form>",
  "<math><a xlink:href=javascript:alert(1)>x</a></math>",
  "<!-- --><script>alert(1)</script>",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php <script>alert(1)</script> ?>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "| <script>alert(1)</script> | ![x](http://evil.example) |\n|---|---|\n| [a](javascript:1) | <img src=x> |",
  "- <script>alert(1)</script>\n- [a](javascript:alert(1))",
  "> <script>alert(1)</script>",
  "# <script>alert(1)</script>",
  "`<script>` <b onclick=alert(1)>b</b>",
  '- ```html" onclick="alert(1)\n  <script>alert(1)</script>\n  ```',
  "    <script>alert(1)</script>",
  "- [ ] <input onfocus=alert(1) autofocus>",
  "Footnote[^1]\n\n[^1]: <script>alert(1)</script>",
  '[a](https://a.example "onmouseover=alert(1)")',
];

describe("[X1] Markdown of an untrusted author", () => {
  it.each(HOSTILE)("is harmless: %j", (text) => {
    const markup = html(text);
    expect(tagsIn(markup).filter((name) => !ALLOWED.test(name))).toEqual([]);
    expect(markup).not.toMatch(/<[^>]*\s(?:on\w+|src|srcset|action|formaction|background|xlink:href|id|name)=/);
    for (const [, address] of markup.matchAll(/<[^>]*\shref="([^"]*)"/g)) expect(address).toBe("https://a.example");
    for (const [tag] of markup.matchAll(/<input[^>]*>/g)) expect(tag).toMatch(/disabled/);
  });

  it.each<[string, string]>([
    [
      "[a](https://a.example/b?c=d)",
      '<a href="https://a.example/b?c=d" title="https://a.example/b?c=d" target="_blank" rel="noopener noreferrer">a</a>',
    ],
    [
      "https://a.example",
      '<a href="https://a.example" title="https://a.example" target="_blank" rel="noopener noreferrer">https://a.example</a>',
    ],
    [
      "<me@a.example>",
      '<a href="mailto:me@a.example" title="mailto:me@a.example" target="_blank" rel="noopener noreferrer">me@a.example</a>',
    ],
    ["[a](javascript:1)", '<span class="unsafe-link" title="This address is not opened: javascript:1">a</span>'],
    ["![logo](http://a.example/x.png)", '<span class="image-address">[image: logo] http://a.example/x.png</span>'],
    ["a <b>c</b>", "a &lt;b&gt;c&lt;/b&gt;"],
    ["*a* **b** `c` ~~d~~", "<em>a</em> <strong>b</strong> <code>c</code> <del>d</del>"],
  ])("%j becomes %s", (text, expected) => {
    expect(html(text)).toBe(`<p>${expected}</p>`);
  });

  it("code and plain blocks are text", () => {
    const markup = renderToStaticMarkup(
      createElement(Markdown, {
        text: `\`\`\`html\n<script>alert(1)</script>\n\`\`\`\n\n${">".repeat(5_000)}<script>`,
      }),
    );
    expect(tagsIn(markup).filter((name) => !ALLOWED.test(name))).toEqual([]);
    expect(markup).toContain("&lt;script&gt;alert(1)");
  });
});

describe("[X1] the address of a link", () => {
  it.each(["https://a.example", "http://127.0.0.1:4141/x?y#z", "mailto:me@a.example", "HTTPS://A.example"])(
    "%s",
    (address) => {
      expect(safeLink(address)).toBe(address);
    },
  );

  it.each([
    "",
    " https://a.example",
    "https://a.example\n",
    "java\nscript:alert(1)",
    "https://",
    "https:a.example",
    "https:/a.example",
    "https://[bad",
    "https://good.example@evil.example",
    "https://good:x@evil.example",
    "http://a.example\u0000",
    "http://a.ex\u200bample",
    `https://a.example/${"x".repeat(2_000)}`,
  ])("%j is not opened", (address) => {
    expect(safeLink(address)).toBeUndefined();
  });
});
