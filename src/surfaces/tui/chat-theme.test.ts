import { Markdown, SelectList } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { createChatTheme, withoutStyles } from "./chat-theme.ts";

const TEXT = `# One

**bold** *italic* ~~gone~~ \`code\` [link](https://example.org)

> quote

- item

| a | a long heading that wraps |
|---|---|
| 1 | **a bold text that wraps in its cell** |

\`\`\`
code
\`\`\`
`;

describe("[U2] the theme", () => {
  it("marks text with the 16 colours of the terminal", () => {
    const { bold, dim, italic, underline, accent, success, warning, error } = createChatTheme({ color: true });
    const marked = [bold, dim, italic, underline, accent, success, warning, error].map((style) => style("x"));
    expect(marked).toEqual([
      "\x1b[1mx\x1b[22m",
      "\x1b[2mx\x1b[22m",
      "\x1b[3mx\x1b[23m",
      "\x1b[4mx\x1b[24m",
      "\x1b[36mx\x1b[39m",
      "\x1b[32mx\x1b[39m",
      "\x1b[33mx\x1b[39m",
      "\x1b[31mx\x1b[39m",
    ]);
    expect(bold("")).toBe("");
  });

  it("changes nothing without colour", () => {
    const { bold, accent, select, editor, markdown } = createChatTheme({ color: false });
    const marked = [bold, accent, select.selectedText, editor.borderColor, markdown.heading, markdown.bold];
    expect(marked.map((style) => style("x"))).toEqual(["x", "x", "x", "x", "x", "x"]);
  });

  it("leaves no sequences in components of pi-tui without colour", () => {
    const theme = createChatTheme({ color: false });
    const list = new SelectList([{ value: "a", label: "a", description: "b" }], 5, theme.select);
    const lines = [...new Markdown(TEXT, 0, 0, theme.markdown).render(30), ...list.render(30)].map(withoutStyles);
    expect(lines.join("\n")).not.toContain("\x1b[");
    expect(lines.join("\n")).toContain("wraps");
  });
});
