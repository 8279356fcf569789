import { applyPatch } from "diff";
import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

/** Pseudo-random numbers, the same on each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

it("[B4] makes a diff that turns the old text into the new one, wherever they differ", async () => {
  const next = numbers(7);
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: next(30) }, () => "abcd"[next(4)]);
    const before = lines.join("\n") + (next(2) ? "\n" : "");
    for (let i = next(3); i >= 0; i--) lines.splice(next(lines.length + 1), next(3), ...["x", "a", "b"].slice(next(4)));
    const after = lines.join("\n") + (next(2) ? "\n" : "");
    const { text = "", additions, deletions } = await unifiedDiff("a", before, after, 100_000);
    expect(applyPatch(before, text)).toBe(after);
    expect(text.split("\n").filter((line) => /^\+(?!\+\+)/.test(line))).toHaveLength(additions);
    expect(text.split("\n").filter((line) => /^-(?!--)/.test(line))).toHaveLength(deletions);
  }
});

it("[B4] shows three lines around a change, and compares no others", async () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index}`);
  const before = lines.join("\n");
  const after = before.replace("line 100000\n", "changed\n");
  expect(await unifiedDiff("a", before, after, 1_000)).toEqual({
    additions: 1,
    deletions: 1,
    text: [
      "--- a",
      "+++ a",
      "@@ -99998,7 +99998,7 @@",
      " line 99997",
      " line 99998",
      " line 99999",
      "-line 100000",
      "+changed",
      " line 100001",
      " line 100002",
      " line 100003",
      "",
    ].join("\n"),
  });
});

it("[B4] returns only the counts if the diff takes too long to compute or is too long to show", async () => {
  const text = (step: number): string => Array.from({ length: 60_000 }, (_, i) => `${(i * step) % 65_537}\n`).join("");
  expect(await unifiedDiff("a", text(3), text(5), 1_000_000)).toEqual({ additions: 60_000, deletions: 60_000 });
  expect(await unifiedDiff("a", "a\n", "b\n", 5)).toEqual({ additions: 1, deletions: 1 });
});
