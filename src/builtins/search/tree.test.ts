import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { TimeSlice } from "./time-slice.ts";
import { type FolderContent, readTree } from "./tree.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tree-"));
  for (let at = 0; at < 50; at++) writeFileSync(join(folder, `file-${at}.txt`), "");
  writeFileSync(join(folder, ".gitignore"), "file-?.txt\n");
});

afterEach(() => rmSync(folder, { recursive: true }));

function read(timeSlice: TimeSlice): Promise<FolderContent> {
  return readTree(
    { path: folder, prefix: "", rules: undefined },
    {
      depth: 1,
      entries: 100,
      root: folder,
      isExcluded: () => false,
      isSkipped: () => false,
      visible: async (paths) => paths.map(() => true),
      timeSlice,
    },
  );
}

it("[B5] rules are applied to the entries of one folder in several slices of time", async () => {
  let slices = 0;
  const content = await read({ isOver: true, next: async () => void slices++ });
  expect(content).toMatchObject({ kind: "open", nodes: { length: 41 } });
  expect(slices).toBeGreaterThan(50);
});

it("[B5] cancelling stops in the middle of a folder", async () => {
  let slices = 0;
  const next = async (): Promise<void> => {
    if (++slices === 10) throw new Error("cancelled");
  };
  await expect(read({ isOver: true, next })).rejects.toThrow("cancelled");
  expect(slices).toBe(10);
});
