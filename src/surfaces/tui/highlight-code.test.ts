import { assert, constantFrom, property, string } from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createChatTheme, withoutStyles } from "./chat-theme.ts";
import { highlightLines, loadHighlighter } from "./highlight-code.ts";

const THEME = createChatTheme({ color: true });
const CODE = 'const a = "x<y>"; // &\nreturn `a\n$' + "{b}`;";

describe("[U2] code", () => {
  it("is plain until the highlighter is loaded", () => {
    expect(highlightLines(CODE, "ts", THEME)).toEqual(CODE.split("\n"));
  });

  describe("once it is loaded", () => {
    beforeAll(async () => {
      expect(await loadHighlighter()).toBe(true);
    });

    it("is highlighted line by line", () => {
      expect(highlightLines(CODE, "TS", THEME)).toEqual([
        '\x1b[36mconst\x1b[39m a = \x1b[32m"\x1b[39m\x1b[32mx\x1b[39m\x1b[32m<\x1b[39m\x1b[32my\x1b[39m\x1b[32m>\x1b[39m\x1b[32m"\x1b[39m; \x1b[2m// \x1b[22m\x1b[2m&\x1b[22m',
        "\x1b[36mreturn\x1b[39m \x1b[32m`a\x1b[39m",
        `\${b}\x1b[32m\`\x1b[39m;`,
      ]);
    });

    it.each(["html", "py", "rs", "sh", "console", "yml", "toml", "tsx", "c++", "c#", "md", "dockerfile"])(
      "knows %s",
      (language) => {
        expect(highlightLines('"x" # y\n<a b="c">', language, THEME).join("")).toContain("\x1b[");
      },
    );

    it("is plain in an unknown language, without colour, and if it is very long", () => {
      for (const language of ["unheard-of", "constructor", "", undefined])
        expect(highlightLines(CODE, language, THEME)).toEqual(CODE.split("\n"));
      expect(highlightLines(CODE, "ts", createChatTheme({ color: false }))).toEqual(CODE.split("\n"));
      const long = "const a = 1;\n".repeat(10_000);
      expect(highlightLines(long, "ts", THEME)).toEqual(long.split("\n"));
    });

    it("loses no character", () => {
      const text = string({ unit: constantFrom(..."<>&'\"`/*\\{$}()\n #ab1=;&amp;-".split("")) });
      assert(
        property(text, constantFrom("ts", "html", "py", "sh", "md", "diff", "yaml", "sql"), (code, language) => {
          expect(highlightLines(code, language, THEME).map(withoutStyles).join("\n")).toBe(code);
        }),
        { numRuns: 300 },
      );
    });
  });
});
