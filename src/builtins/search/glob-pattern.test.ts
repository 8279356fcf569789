import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { compileGlob } from "./glob-pattern.ts";

const matches = (pattern: string, path: string): boolean => compileGlob(pattern, "pattern").matches(path);

describe("[B6] [B7] globs", () => {
  it.each<[string, string[], string[]]>([
    ["*", ["a", "a/b", ".a"], []],
    ["**", ["a", "a/b"], []],
    ["./*", ["a", ".a"], ["a/b"]],
    ["/a", ["a"], ["b/a"]],
    ["a", ["a", "b/a"], ["ab", "a/b"]],
    ["a/**", ["a/b", "a/b/c"], ["a", "ab", "b/a/b"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "x/a/b"]],
    ["a/**/**", ["a/b", "a/b/c"], ["a"]],
    ["**/a/**/b/**/c", ["a/b/c", "x/a/y/b/z/z/c"], ["a/c", "b/a/c"]],
    ["**/*/**", ["a/b", "a/b/c"], ["a"]],
    ["**/.*", [".a", "a/.b"], ["a"]],
    ["./a**b", ["ab", "axb"], ["a/b", "a/x/b"]],
    ["./a**/b", ["a/b", "ax/b"], ["a/x/b", "ab"]],
    ["./***/b", ["a/b"], ["b", "a/x/b"]],
    ["a?c", ["abc", "aéc", "a😀c"], ["ac", "abbc", "a/c"]],
    ["[a-c].ts", ["a.ts", "x/c.ts"], ["d.ts", "-.ts", "[a-c].ts"]],
    ["[!a].ts", ["b.ts", "é.ts"], ["a.ts", ".ts"]],
    ["[^a].ts", ["b.ts"], ["a.ts"]],
    ["./a[!b]c", ["axc"], ["a/c", "abc"]],
    ["[]a]", ["]", "a"], ["b", "[]a]"]],
    ["[!]a]", ["b"], ["]", "a"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[a\\-c]", ["a", "-", "c"], ["b"]],
    ["[\\]]", ["]"], ["\\", "["]],
    ["[[:digit:]_]", ["1", "_"], ["a", ":"]],
    ["[[]", ["["], ["a"]],
    ["[]", ["[]"], ["[", "]"]],
    ["[a", ["[a"], ["a"]],
    ["a]", ["a]"], ["a"]],
    ["app/[id]/*.ts", ["app/[id]/a.ts", "app/i/a.ts"], ["app/id/a.ts"]],
    ["app/[...slug]/a", ["app/s/a", "app/./a"], ["app/[...slug]/a"]],
    ["app/\\[...slug\\]/a", ["app/[...slug]/a"], ["app/s/a"]],
    ["app/(group)/@slot/a", ["app/(group)/@slot/a"], ["app/group/slot/a"]],
    ["+(a)", ["+(a)"], ["a", "aa"]],
    ["!a", ["!a"], ["b"]],
    ["*.{ts,tsx}", ["a.ts", "b/a.tsx"], ["a.js", "a.{ts,tsx}"]],
    ["{a,b/{c,d}}/*.x", ["a/1.x", "b/c/1.x", "b/d/1.x"], ["b/1.x", "c/1.x"]],
    ["src/{,lib/}a", ["src/a", "src/lib/a"], ["lib/a"]],
    ["./{**/,}a", ["a", "x/y/a"], ["xa"]],
    ["{a/**,b}/c", ["b/c", "a/x/c", "a/x/y/c"], ["a/c", "x/c"]],
    ["{a,*}{b,c}", ["ab", "xc"], ["a", "ad"]],
    ["{{a,b}}", ["{a}", "{b}"], ["a"]],
    ["{{cookiecutter.name}}/a", ["{{cookiecutter.name}}/a"], ["cookiecutter.name/a"]],
    ["{a}", ["{a}"], ["a"]],
    ["{}", ["{}"], []],
    ["{a\\,b,c}", ["a,b", "c"], ["a", "b"]],
    ["{[,],b}", [",", "b"], ["["]],
    ["a}", ["a}"], ["a"]],
    ["a,b", ["a,b"], ["a", "b"]],
    ["{1..3}", ["1", "2", "3"], ["4", "{1..3}"]],
    ["\\*", ["*"], ["a"]],
    ["\\a\\d", ["ad"], ["a1"]],
    ["./a\\/b", ["a/b"], ["b"]],
    ["\\{a,b}", ["{a,b}"], ["a", "b"]],
    ["a.b+c$d^", ["a.b+c$d^"], ["axb+c$d^"]],
    ["a//b", [], ["a/b", "ab"]],
    ["a\n*", ["a\nb"], ["a"]],
    ["**/*.x", ["a\nb/c.x"], []],
    ['"a"', ['"a"'], ["a"]],
  ])("[B6] %j", (pattern, matching, others) => {
    expect(matching.filter((path) => !matches(pattern, path))).toEqual([]);
    expect(others.filter((path) => matches(pattern, path))).toEqual([]);
  });

  it.each([
    ["{a,b", '"pattern" has a "{" without a "}". Write \\{ for the character "{".'],
    ["{a,{b}", '"pattern" has a "{" without a "}". Write \\{ for the character "{".'],
    ["a\\", '"pattern" ends with "\\". Write \\\\ for the character "\\".'],
    ["a[b/c]", '"pattern" contains a "/" between "[" and "]". Write \\[ for the character "[".'],
    ["[z-a]", '"pattern" contains the range "z-a". Write "a-z".'],
    ["{01..12}", '"pattern" contains a range in braces, "{01..12}". List the alternatives: {1,2,3}.'],
  ])("[B6] refuses %j", (pattern, message) => {
    expect(() => matches(pattern, "a")).toThrow(message);
  });

  /** Patterns whose time must not depend on the ways in which they can match: each of them runs for hours if it does. */
  it.each<[string, string, string]>([
    ["stars in one name", `${"*a".repeat(200)}b`, "a".repeat(200)],
    ["stars and single characters", `${"*?a".repeat(100)}b`, "a".repeat(200)],
    ["stars and sets", `${"*[ab]".repeat(100)}c`, "a".repeat(200)],
    ["sets that stand for themselves", `${"*[id]".repeat(100)}c`, "[id]".repeat(50)],
    ["stars in braces", `${"{*a,b}".repeat(100)}c`, "a".repeat(200)],
    ["stars in braces in braces", `${"{*a,".repeat(100)}b${"}".repeat(100)}c`, "a".repeat(200)],
    ["folder wildcards", `${"**/a/".repeat(100)}b`, `${"a/".repeat(400)}a`],
    ["folder wildcards in braces", `${"{**/a/,**/b/}".repeat(60)}c`, `${"a/".repeat(400)}a`],
    ["folder wildcards and stars", `${"**/*a*/".repeat(100)}b`, `${"aaa/".repeat(200)}a`],
    ["braces around two stars", `${"{**,a}/".repeat(100)}b`, `${"a/".repeat(400)}a`],
    ["alternatives", `${"{a,aa,aaa}".repeat(90)}b`, "a".repeat(200)],
    ["equal alternatives", `${"{a,a}/".repeat(100)}b`, "a/".repeat(400)],
    ["braces", `${"{".repeat(300)}a${"}".repeat(300)}`, "a".repeat(200)],
  ])("[B6] matches many %s in linear time", (_, pattern, path) => {
    expect(matches(`./${pattern}`, path)).toBe(false);
  });
});

describe("[B6] [B7] the glob for ripgrep", () => {
  it.each<[string, string | undefined]>([
    ["*.ts", "*.ts"],
    ["src/**/*.{ts,d.ts}", "*.{ts,d.ts}"],
    ["src/**", undefined],
    ["*.{ts}", undefined],
    ["a?", undefined],
    ["[ab]", undefined],
    ["{a/b,c}", undefined],
    [`{${"a".repeat(500)} ,b}`, undefined],
  ])("[B6] of %j", (pattern, name) => {
    expect(compileGlob(pattern, "pattern").name).toBe(name);
  });
});

const OPTIONS = {
  dot: true,
  nonegate: true,
  noextglob: true,
  strictSlashes: true,
  posix: true,
  windows: false,
} as const;
/** picomatch lets two stars beside a brace or another star pass a slash, and lets some patterns match nothing at their end. */
const READ_DIFFERENTLY = /[^/]\*\*\/\*\*|\.\.|\*\*\*|[}*]\*\*|\*\*\{|\/\*\*\/\{|\/\/|^[./]*\//;
const piece = fc.constantFrom(
  "a",
  "b",
  ".",
  "*",
  "?",
  "[ab]",
  "[!a]",
  "[b-c]",
  "\\*",
  "**/",
  "/",
  "{a,b}",
  "{*,b.}",
  "{a/,}",
  "{a,b/c}",
);
const name = fc
  .string({ unit: fc.constantFrom("a", "b", "c", ".", "*"), minLength: 1, maxLength: 4 })
  .filter((text) => !text.endsWith("."));
const patterns = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

it("[B6] globs match what picomatch matches", () => {
  fc.assert(
    fc.property(patterns, fc.array(paths, { minLength: 1, maxLength: 20 }), (pattern, candidates) => {
      fc.pre(!READ_DIFFERENTLY.test(pattern));
      const expected = picomatch(pattern.includes("/") ? pattern : `**/${pattern}`, OPTIONS);
      for (const path of candidates) expect(matches(pattern, path), path).toBe(expected(path));
    }),
    { numRuns: 2_000, seed: 27 },
  );
});
