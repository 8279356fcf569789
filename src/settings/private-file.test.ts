import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import { withLock } from "./lock.ts";
import { writePrivateFile } from "./private-file.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe("writePrivateFile", () => {
  it("[X2] makes the file and its folder accessible to the user only, even if they were open, and leaves no other file", () => {
    const folder = join(temporary(), "home");
    const file = put(join(folder, "state.json"), "old");
    chmodSync(folder, 0o755);
    chmodSync(file, 0o644);
    writePrivateFile(file, "new");
    expect([modeOf(folder), modeOf(file), readFileSync(file, "utf8")]).toEqual(["700", "600", "new"]);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("[X2] writes through a link, and creates missing folders", () => {
    const root = temporary();
    writePrivateFile(join(root, "dotfiles/real.json"), "1");
    symlinkSync(join(root, "dotfiles/real.json"), join(root, "link.json"));
    writePrivateFile(join(root, "link.json"), "2");
    expect(lstatSync(join(root, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, "dotfiles/real.json"), "utf8")).toBe("2");
  });
});

describe("withLock", () => {
  it("[D7] runs every function that waits, and removes the lock, also after a failure", async () => {
    const file = join(temporary(), "x");
    await expect(
      withLock(file, () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((one) => withLock(file, () => order.push(one))));
    expect(order.sort()).toEqual([1, 2, 3]);
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it("[D7] takes over a lock whose process has ended, or that is very old", async () => {
    const file = join(temporary(), "x");
    const { hostname } = await import("node:os");
    put(`${file}.lock`, `4194305 abc ${hostname()}`);
    expect(await withLock(file, () => "mine")).toBe("mine");
    const { utimesSync } = await import("node:fs");
    put(`${file}.lock`, "");
    utimesSync(`${file}.lock`, 1, 1);
    expect(await withLock(file, () => "mine")).toBe("mine");
  });
});
