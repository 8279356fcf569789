import { rmSync, writeFileSync } from "node:fs";
import { messageOf } from "../../../core/error.ts";
import { isDiskFull } from "../../../platform/files/error-code.ts";

/** Writes a file. If the disk is full, removes the part that was written, and the error says what to do. */
export function writeWhole(path: string, text: string, flag: "w" | "wx"): void {
  try {
    writeFileSync(path, text, { flag });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    rmSync(path, { force: true });
    throw new Error(`${path} cannot be written: ${messageOf(error)}. Free some space, then run this again.`);
  }
}
