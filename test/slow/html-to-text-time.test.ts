import { describe, expect, it } from "vitest";
import { htmlToText } from "../../src/builtins/web/html-to-text.ts";

describe("a page as text", () => {
  // With quadratic time, 5 MB would take minutes.
  it.each(["<div>", "<!--", '<a b="', "<", "<script>", "</title ", "<pre>a     ", "&", "<nav>", "\t", "<a "])(
    "[B8] [X1] takes time linear in its length: %j",
    (unit) => {
      expect(htmlToText(`start<p>${unit.repeat(5_000_000 / unit.length)}`)).toMatch(/^start/);
    },
  );
});
