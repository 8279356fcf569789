import { describe, expect, it } from "vitest";
import { htmlToText } from "./html-to-text.ts";
import { titleOf } from "./page-title.ts";

describe("a page as text", () => {
  it.each([
    ["<p>one\n  two</p><p>three<br>four</p>", "one two\n\nthree\nfour"],
    ["<h1>A</h1>b<div>c</div><div>d</div>", "A\n\nb\nc\nd"],
    ["<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n- b\n- c"],
    ["<table><tr><th>a</th><th>b\tc</th></tr><tr><td>1</td><td></td><td>2</td></tr></table>", "a\tb c\n1\t2"],
    ["a<pre>\n  x  y\n\tz  \n</pre>b", "a\n\n  x  y\n\tz\n\nb"],
    ["a<script>if (1<2) '</p>'</script>b<style>p{}</style><!-- <p>no --><noscript>no</noscript>", "ab"],
    ["<svg><svg>no</svg>no</svg><nav>no</nav>yes<iframe><p>no</iframe>", "yes"],
    ["<nav><a href=x>only</a> this</nav>", "only this"],
    ["<p title=\"a > b\">x</p><p title=it's>y</p><p title = '>'>z", "x\n\ny\n\nz"],
    ["a < b, 1<2 & c &lt;b&gt; &eacute;&#233;&#xE9;&#0;&bogus; &nbsp;x", "a < b, 1<2 & c <b> ééé\ufffd&bogus;  x"],
    ["&constructor;", "&constructor;"],
    ["plain", "plain"],
    ["", ""],
    ["<", "<"],
    ["<a", ""],
    ["x<p class='", "x"],
    ["x<!--", "x"],
    ["x</", "x</"],
    ["a<svg/>b<iframe/>c", "abc"],
    ["&hearts;&notin;", "♥∉"],
    ["<textarea><b>kept</b></textarea>", "<b>kept</b>"],
  ])("[B8] %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });
});

it("[B8] has its title on one line", () => {
  expect(titleOf("<head><TITLE lang=en>\n a &amp;\n b </TITLE><title>c</title>")).toBe("a & b");
  expect(titleOf("<title> </title>")).toBeUndefined();
  expect(titleOf("<p>no title</p>")).toBeUndefined();
  expect(titleOf(`<title>${"t".repeat(100_000)}</title>`)).toBe(`${"t".repeat(300)}...`);
  expect(titleOf("<script>'<title>no</title>'</script>")).toBeUndefined();
  expect(titleOf(`${" ".repeat(300_000)}<title>far</title>`)).toBeUndefined();
});
