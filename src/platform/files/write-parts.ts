import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { messageOf } from "../../core/error.ts";
import { SessionError } from "../../core/session-store.ts";
import { realPath } from "./real-path.ts";

/**
 * Writes a text, part by part, to a file that only the user can read. An existing file is replaced once the text is complete;
 * a device or pipe is written directly. If it fails, nothing is left behind.
 */
export async function writeParts(path: string, parts: AsyncIterable<string>): Promise<void> {
  const target = realPath(path) ?? path;
  const isSpecial = statSync(target, { throwIfNoEntry: false })?.isFile() === false;
  const written = isSpecial ? target : `${target}.${process.pid}.tmp`;
  try {
    const descriptor = openSync(written, isSpecial ? "w" : "wx", 0o600);
    try {
      for await (const part of parts) writeFileSync(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    if (!isSpecial) renameSync(written, target);
  } catch (error) {
    if (!isSpecial) rmSync(written, { force: true });
    if (SessionError.is(error)) throw error;
    throw new Error(`${path} cannot be written: ${messageOf(error).replace(written, path)}`, { cause: error });
  }
}
