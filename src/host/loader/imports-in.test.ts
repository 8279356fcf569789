import { describe, expect, it } from "vitest";
import { importsIn } from "./imports-in.ts";

describe("[A9] the modules that a file imports", () => {
  it.each([
    ['import a from "a";', "a", "static"],
    ["import{a}from'a'", "a", "static"],
    ['import "a";', "a", "static"],
    ['export * as b from "a";', "a", "static"],
    ['await import( "a" )', "a", "import()"],
    ["const a = require('a/b');", "a/b", "require()"],
  ])("%s", (source, specifier, kind) => {
    const [found, ...others] = importsIn(source);
    expect(found).toMatchObject({ specifier, kind });
    expect(source.slice(found?.start, found?.end)).toBe(specifier);
    expect(others).toEqual([]);
  });

  it.each([
    'text = `import a from "a"`;',
    '// import a from "a"',
    'Array.from("a"); jest.require("a"); myrequire("a");',
    "await import(name)",
  ])("none in %s", (source) => {
    expect(importsIn(source)).toEqual([]);
  });
});
