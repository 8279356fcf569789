import { lstatSync, readFileSync, statSync } from "node:fs";
import { hasCode } from "../config/error-code.ts";
import { ConfigProblem } from "./config-problem.ts";

const LARGEST = 100_000_000;

/** The text of a file, byte for byte; undefined where there is none. Throws a `ConfigProblem` where it is no text. */
export function readConfig(file: string): string | undefined {
  const bytes = bytesOf(file);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ConfigProblem("is not UTF-8 text");
  }
}

function bytesOf(file: string): Uint8Array | undefined {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new ConfigProblem("is not a file");
    if (stat.size > LARGEST) throw new ConfigProblem(`is larger than ${LARGEST} bytes`);
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether the path itself is a link. */
export function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
