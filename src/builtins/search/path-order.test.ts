import { describe, expect, it } from "vitest";
import { NewestFiles } from "./newest-files.ts";
import { comparePaths } from "./path-order.ts";

describe("[B6] [B7] the order of paths", () => {
  it("[B7] sorts folder by folder, and by code points", () => {
    const sorted = ["a", "a/b", "a/b/c", "a-b", "a-b/c", "a.b", "aa", "b", "é", "\uffee", "😀"];
    expect([...sorted].reverse().sort(comparePaths)).toEqual(sorted);
  });

  it("[B6] keeps the newest paths of a long list", () => {
    const newest = new NewestFiles(2);
    for (const changed of [5, 1, 9, 3, 9, 2, 8, 7, 4, 6, 0, 9]) newest.add(`f${newest.count}`, changed);
    expect(newest.files()).toEqual([
      { path: "f11", changed: 9 },
      { path: "f2", changed: 9 },
    ]);
    expect(newest.count).toBe(12);
  });
});
