import ignore from "ignore";
import { expect, it } from "vitest";
import { ignoreLines } from "./ignore-lines.ts";

const deep = (levels: number): string => `${"a/".repeat(levels)}c`;

/** Lines that would hold up all searches, and a path. */
it.each<[string, string, string]>([
  ["many folder wildcards", `${"**/a/".repeat(6)}b`, deep(400)],
  ["many folder wildcards in braces", `${"{**/a/,**/b/}".repeat(6)}b`, deep(400)],
  ["a long line of unclosed sets", "[".repeat(2_000_000), "a"],
  ["a long line of braces in braces", `${"{a,".repeat(20_000)}${"}".repeat(20_000)}`, "a"],
  ["a long line of braces", "{a}".repeat(100_000), "a"],
  ["many lines with braces", "{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}{a,b,c,d,e,f,g,h,i,j}\n".repeat(2_000), "x"],
])("[B5] an ignore file may have %s", (_, text, path) => {
  const lines = ignoreLines(`${text}\n*.log`);
  expect(lines.length).toBeLessThan(20_000);
  const rules = ignore({ allowRelativePaths: true }).add(lines);
  expect(rules.test(path).ignored).toBe(false);
  expect(rules.test("x/y.log").ignored).toBe(true);
});

it("[B5] keeps the usual folder wildcards", () => {
  expect(ignoreLines("**/build/**/out\nsrc/**/*.js\n**/logs/**")).toEqual([
    "**/build/**/out",
    "src/**/*.js",
    "**/logs/**",
  ]);
});
