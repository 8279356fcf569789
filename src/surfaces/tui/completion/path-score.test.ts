import { describe, expect, it } from "vitest";
import { pathScore } from "./path-score.ts";

function ranked(query: string, ...paths: string[]): string[] {
  return paths
    .flatMap((path) => {
      const score = pathScore(path.toLowerCase(), query);
      return score === undefined ? [] : [{ path, score }];
    })
    .toSorted((a, b) => a.score - b.score)
    .map(({ path }) => path);
}

describe("the order of files that match what was typed", () => {
  it("[U2] prefers the whole name, then its beginning, then a part of it, then a folder, then letters in order", () => {
    const paths = [
      "s/x/e/r/vxer",
      "a/my-server/x.ts",
      "server/a/b.ts",
      "src/http-server.ts",
      "lib/server-parts.ts",
      "lib/deep/server.ts",
      "nothing.ts",
    ];
    expect(ranked("server", ...paths)).toEqual([
      "lib/deep/server.ts",
      "lib/server-parts.ts",
      "src/http-server.ts",
      "server/a/b.ts",
      "a/my-server/x.ts",
      "s/x/e/r/vxer",
    ]);
  });

  it("[U2] offers the contents of a folder, the nearest first", () => {
    expect(ranked("src/", "src/a/b/c.ts", "lib/src/d.ts", "src/", "src/z.ts", "src/a/", "other.ts")).toEqual([
      "src/",
      "src/a/",
      "src/z.ts",
      "src/a/b/c.ts",
      "lib/src/d.ts",
    ]);
  });

  it("[U2] offers what is in the project's folder if nothing is typed", () => {
    expect(ranked("", "src/a.ts", "src/", "readme.md")).toEqual(["src/", "readme.md", "src/a.ts"]);
  });
});
