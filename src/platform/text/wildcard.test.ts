import { describe, expect, it } from "vitest";
import { escapePattern, literalOf, matchSegments, matchText } from "./wildcard.ts";

describe("[P3] wildcards in text", () => {
  it.each<[string, string, boolean]>([
    ["", "", true],
    ["", "a", false],
    ["*", "", true],
    ["*", "anything / at\nall", true],
    ["**", "a/b", true],
    ["git *", "git status --short", true],
    ["git *", "git", false],
    ["git *", "agit x", false],
    ["*.ts", "a/b.ts", true],
    ["*.ts", "a.tsx", false],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["?", "", false],
    ["?", "é", true],
    ["?", "😀", true],
    ["??", "😀", false],
    ["a?c", "abc", true],
    ["a.c", "abc", false],
    ["rm [*]", "rm *", true],
    ["rm [*]", "rm x", false],
    ["[?]", "?", true],
    ["[?]", "x", false],
    ["[a]", "[a]", true],
    ["[a]", "a", false],
    ["(a+)+$", "(a+)+$", true],
  ])("[P3] %j and %j: %s", (pattern, text, expected) => {
    expect(matchText(pattern, text)).toBe(expected);
  });

  it("[P3] an escaped text matches only itself", () => {
    for (const text of ["rm *", "a?b", "[*]", "[[*]]", "*?*", "plain", "[", "\\*"]) {
      expect(matchText(escapePattern(text), text)).toBe(true);
      expect(literalOf(escapePattern(text))).toBe(text);
      expect(matchText(escapePattern(text), `${text}x`)).toBe(false);
    }
    expect(literalOf("a*")).toBeUndefined();
  });

  it("[X1] a hostile pattern ends in reasonable time", () => {
    expect(matchText(`${"*a".repeat(50)}*b`, "a".repeat(20_000))).toBe(false);
    expect(matchSegments([...Array(30).fill("**"), "b"], Array(2000).fill("a"))).toBe(false);
  });
});

describe("[P3] wildcards in segments", () => {
  it.each<[string, string, boolean]>([
    ["a/*", "a/b", true],
    ["a/*", "a/b/c", false],
    ["a/*", "a", false],
    ["a/**", "a", true],
    ["a/**", "a/b/c", true],
    ["a/**", "ab/c", false],
    ["**/*.ts", "x.ts", true],
    ["**/*.ts", "a/b/x.ts", true],
    ["**/*.ts", "a/b/x.js", false],
    ["a/**/b/**/c", "a/x/b/y/b/z/c", true],
    ["a/**/b/**/c", "a/x/c", false],
    ["a/x**y/b", "a/xzy/b", true],
    ["a/x**y/b", "a/xz/y/b", false],
    ["a/?", "a/b", true],
    ["?", "/", false],
  ])("[P3] %j and %j: %s", (pattern, path, expected) => {
    expect(matchSegments(pattern.split("/"), path.split("/"))).toBe(expected);
  });
});
