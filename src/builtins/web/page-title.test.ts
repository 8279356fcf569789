import { describe, expect, it } from "vitest";
import { titleOf } from "./page-title.ts";

describe("[B8] the title of a page", () => {
  it.each([
    ["<title>Tea &amp;\n more</title>", "Tea & more"],
    ["<p>no title</p>", undefined],
    ["<title> </title>", undefined],
    [`<title>${"t".repeat(100_000)}</title>`, `${"t".repeat(300)}...`],
  ])("%.30s", (html, title) => {
    expect(titleOf(html)).toBe(title);
  });
});
