import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const NO_MOUNT = "a small disk can be mounted by root alone, and on Linux alone";

/** Whether this process may mount a disk. */
export function canMount(): boolean {
  const folder = join(tmpdir(), `toolwright-mount-${process.pid}`);
  mkdirSync(folder);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]);
  if (status === 0) spawnSync("umount", [folder]);
  rmSync(folder, { recursive: true });
  return status === 0;
}

/** Mounts a small disk over a folder until the test ends. */
export function smallDisk(folder: string, size = "64k"): void {
  mkdirSync(folder, { recursive: true });
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=0700`, "tmpfs", folder]);
  onTestFinished(() => void spawnSync("umount", ["-l", folder]));
}

/** Makes a small disk read-only; the returned function makes it writable again. */
export function remountReadOnly(folder: string): () => void {
  spawnSync("mount", ["-o", "remount,ro", folder]);
  return () => void spawnSync("mount", ["-o", "remount,rw", folder]);
}

/** Fills the disk; the returned function frees the space. */
export function fillDisk(folder: string): () => void {
  const file = join(folder, "filler");
  for (const piece of [4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(piece));
    } catch {
      // The disk is full.
    }
  }
  return () => rmSync(file);
}
