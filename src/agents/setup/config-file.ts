import { lstatSync, readFileSync, statSync } from "node:fs";
import { hasCode } from "../../platform/files/error-code.ts";
import { ConfigProblem } from "./config-problem.ts";

const MAX_BYTES = 100_000_000;

/** The text of a file with its byte order mark; undefined if there is no file. Throws a `ConfigProblem` for other content. */
export function readConfig(file: string): string | undefined {
  const bytes = readBytes(file);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ConfigProblem("is not UTF-8 text");
  }
}

function readBytes(file: string): Uint8Array | undefined {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new ConfigProblem("is not a file");
    if (stat.size > MAX_BYTES) throw new ConfigProblem(`is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether the path itself is a symbolic link. */
export function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
