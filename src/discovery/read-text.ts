import { readTextFile } from "../files/read-text-file.ts";

const LARGEST = 10_000_000;

/** The text of a file of unknown origin; undefined if it cannot be read. */
export function readText(file: string, untrusted?: string): string | undefined {
  const read = readTextFile(file, { largest: LARGEST, untrusted });
  return read.kind === "text" ? read.text : undefined;
}
