import { expect, it } from "vitest";
import { type IgnoreVerdict, readIgnoreLines } from "./ignore-lines.ts";

const verdict = (text: string, path: string): IgnoreVerdict =>
  readIgnoreLines(text)(path.replace(/\/$/, ""), path.endsWith("/"));

it.each<[string, string[], string[]]>([
  ["a", ["a", "b/a", "a/"], ["ab", "a/b"]],
  ["a/", ["a/", "b/a/"], ["a"]],
  ["/a", ["a"], ["b/a"]],
  ["a/b", ["a/b"], ["c/a/b"]],
  ["a/**", ["a/b", "a/b/c"], ["a/", "b/a/c"]],
  ["**", ["a", "a/b"], []],
  ["**/a/**/b/**/c", ["a/b/c", "x/a/y/b/z/c"], ["a/c"]],
  ["**/a/**/b/**/c/**/d", ["a/b/c/d", "a/x/b/c/y/z/d"], ["a/b/d"]],
  ["*.log  ", ["a.log"], ["a.log  "]],
  ["a\\ ", ["a "], ["a"]],
  ["# a", [], ["# a"]],
  ["\\#a", ["#a"], ["a"]],
  ["\\!a", ["!a"], ["a"]],
  ["[ab]", ["a", "b"], ["[ab]", "c"]],
  ["[[:alpha:]]", ["a]", ":]"], ["b"]],
  ["[z-a]", [], ["z", "a"]],
  ["[a", [], ["b"]],
  ["*.{x,y}", ["a.x", "b/a.y"], ["a.{x,y}"]],
  ["{a/b,c}", ["a/b", "c"], ["x/c"]],
  ["{a}", ["a"], ["{a}"]],
  ["{a", [], ["{a", "a"]],
  ["a}", [], ["a}", "a"]],
  ["a\\", [], ["a", "a\\"]],
  ["é?", ["\u00c3\u00a9x"], ["\u00c3\u00a9"]],
])("[B5] the line %j of an ignore file", (line, ignored, others) => {
  expect(ignored.filter((path) => verdict(line, path) !== "ignored")).toEqual([]);
  expect(others.filter((path) => verdict(line, path) !== "no-rule")).toEqual([]);
});

it.each<[string, string, IgnoreVerdict]>([
  ["*.log\n!keep.log", "keep.log", "unignored"],
  ["!keep.log\n*.log", "keep.log", "ignored"],
  ["*\n!", "a", "unignored"],
  ["a\r\nb\r\n", "b", "ignored"],
  ["\uFEFFa", "a", "ignored"],
  ["a\n\n\n#b\n", "b", "no-rule"],
])("[B5] the lines %j", (text, path, expected) => {
  expect(verdict(text, path)).toBe(expected);
});

const deep = (levels: number): string => `${"a/".repeat(levels)}c`;

/** Lines that would hold up all searches, and a path. */
it.each<[string, string, string]>([
  ["many folder wildcards", `${"**/a/".repeat(100)}b`, deep(400)],
  ["many folder wildcards in braces", `${"{**/a/,**/b/}".repeat(60)}b`, deep(400)],
  ["many stars in a name", `${"*a".repeat(100)}b`, "a".repeat(255)],
  ["many stars in braces", `${"{*a,b}".repeat(100)}c`, "a".repeat(255)],
  ["many braces", `${"{a,aa}".repeat(100)}c`, "a".repeat(255)],
  ["a long line of unclosed sets", "[".repeat(2_000_000), "a"],
  ["a long line of braces in braces", `${"{a,".repeat(20_000)}${"}".repeat(20_000)}`, "a"],
  ["a long line of braces", "{a}".repeat(100_000), "a"],
  ["many lines with braces", "{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}\n".repeat(2_000), "x"],
  ["millions of lines", "a*b\n".repeat(2_000_000), "a"],
  ["millions of empty lines", "\n".repeat(10_000_000), "a"],
  ["a line of millions of spaces", `${" ".repeat(1_000_000)}\n`.repeat(10), "a"],
])("[B5] an ignore file may have %s", (_, text, path) => {
  const lines = readIgnoreLines(`*.log\n${text}`);
  expect(lines(path, false)).toBe("no-rule");
  expect(lines("x/y.log", false)).toBe("ignored");
});
