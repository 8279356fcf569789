import { describe, expect, it } from "vitest";
import { moveCommand, shellWord } from "./shell-word.ts";

describe("[U1] shellWord", () => {
  it.each([
    ["plain/path-1.ts", "plain/path-1.ts", "plain/path-1.ts"],
    ["", "''", '""'],
    ["my project", "'my project'", '"my project"'],
    ["it's", "'it'\\''s'", '"it\'s"'],
    ["$(touch x)`y`", "'$(touch x)`y`'", '"$(touch x)`y`"'],
    ['{"a":1}', "'{\"a\":1}'", '"{\\"a\\":1}"'],
    ["C:\\Users\\me", "'C:\\Users\\me'", "C:\\Users\\me"],
    ["C:\\my tools\\", "'C:\\my tools\\'", '"C:\\my tools\\\\"'],
    ["a&b", "'a&b'", '"a&b"'],
    ["100%", "100%", '"100%"'],
    ["two\nlines", "'two\nlines'", '"two\nlines"'],
  ])("quotes %j for POSIX shells and for Windows", (text, posix, windows) => {
    expect([shellWord(text, "linux"), shellWord(text, "win32")]).toEqual([posix, windows]);
  });

  it("moves a file", () => {
    expect(moveCommand("my tools/a.ts", ".toolwright/tools", "linux")).toBe(
      "mkdir -p .toolwright/tools && mv 'my tools/a.ts' .toolwright/tools/",
    );
    expect(moveCommand("my tools\\a.ts", ".toolwright\\tools", "win32")).toBe(
      'mkdir .toolwright\\tools & move "my tools\\a.ts" .toolwright\\tools',
    );
  });
});
