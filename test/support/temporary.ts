import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty folder, by its real path, removed when the current test ends. */
export function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file, and the folders above it. */
export function put(file: string, text = ""): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}
