import { describe, expect, it } from "vitest";
import { htmlToMarkdown } from "./html-to-markdown.ts";

const markdown = (html: string): string => htmlToMarkdown(html, "https://example.com/docs/page.html?x=1");

describe("a page as markdown", () => {
  it.each([
    ["<h2>A</h2><p>b <em>c</em> <strong>d</strong> <code>e</code>", "## A\n\nb _c_ **d** `e`"],
    ["<ul><li>a<li>b</ul><ol start=3><li>c</ol>", "-   a\n-   b\n\n3.  c"],
    ["<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>", "-   [x]  done\n-   [ ]  open"],
    ["<s>a</s><hr>b", "~~a~~\n\n---\n\nb"],
    ["<blockquote><p>a</blockquote>", "> a"],
  ])("[B8] keeps the elements that Markdown has: %s", (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    ["<a href=a.html>x</a>", "[x](https://example.com/docs/a.html)"],
    ["<a href=' /a?b=1#c ' title='t'>x</a>", "[x](https://example.com/a?b=1#c)"],
    ["<base href=https://other.example/y/><a href=a>x</a>", "[x](https://other.example/y/a)"],
    ["<base href='http://['><a href=/a>x</a>", "[x](https://example.com/a)"],
    ["<a href=/a_(b)>x</a>", "[x](https://example.com/a_\\(b\\))"],
    ["<a href=/a><h3>T</h3><p>u</p></a>", "[T u](https://example.com/a)"],
    ["<a href=mailto:a@b.c>x</a>", "[x](mailto:a@b.c)"],
    ["<a href=javascript:x()>x</a> <a href=data:,y>y</a> <a href='#z'>zz</a> <a name=w>w</a>", "x y zz w"],
    ["<h2>A<a href='#a'>#</a></h2>", "## A"],
    ["<a href=/a><img src=b.png></a>x", "x"],
    ["<img src=a.png alt='A\n b'>", "![A b](https://example.com/docs/a.png)"],
    ["<img src=a.png><img src=data:image/png;base64,xx alt=a>x", "x"],
  ])("[B8] makes links absolute: %s", (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    ["<pre>a *b*\n  c\n</pre>", "```\na *b*\n  c\n```"],
    ["<pre class='lang-ts'><code>a</code></pre>", "```ts\na\n```"],
    ["<pre><code class='hljs language-c++'>a\n```\nb</code></pre>", "````c++\na\n```\nb\n````"],
    ["<div class='highlight highlight-source-js'><pre>a()</pre></div>", "```js\na()\n```"],
    ["<pre> </pre>x", "x"],
  ])("[B8] fences code: %s", (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    [
      "<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td>3</td></tr></table>",
      "| a   | b   |\n| --- | --- |\n| 1\\|2 | 3   |",
    ],
    [
      "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>",
      "|     |     |\n| --- | --- |\n| a   | b   |\n| 1   | 2   |",
    ],
    ["<table><tr><td><ul><li>a</ul></td><td><h2>b</h2></td></tr></table>", "-   a\n\n## b"],
    [
      "<table><tr><td>out</td><td><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>",
      "out\n\n| a   | b   |\n| --- | --- |\n| 1   | 2   |",
    ],
  ])("[B8] converts simple tables, and reads tables with nested content cell by cell: %s", (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it.each([
    ["<title>t</title><script>x</script><style>x</style><noscript>x</noscript><template>x</template>a", "a"],
    ["<svg><text>x</text></svg><iframe>x</iframe><button>x</button><select><option>x</select><p hidden>x</p>a", "a"],
    ["<nav>x</nav><div role=navigation>x</div><span aria-hidden=true>x</span>a", "a"],
    ["<nav><a href=/a>a</a></nav>", "[a](https://example.com/a)"],
    ["<header>x</header><main><nav>x</nav><h1>a</h1></main><footer>x</footer>", "# a"],
    ["<main> </main><p>a", "a"],
    ["<main>a</main><main>b</main>", "a\n\nb"],
    ["", ""],
  ])("[B8] leaves out invisible content: %s", (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  it("[B8] counts the rows of a table once", () => {
    const rows = "<tr><td>a</td><td>b</td></tr>".repeat(3_000);
    expect(markdown(`<table>${rows}</table>`).split("\n")).toHaveLength(3_002);
  });
});
