import { readTextFile } from "../files/read-text-file.ts";

const LARGEST = 10_000_000;

/** The text of a file that somebody else may have made; undefined where it cannot be read, for whatever reason. */
export function readText(file: string, untrusted?: string): string | undefined {
  const read = readTextFile(file, { largest: LARGEST, untrusted });
  return read.kind === "text" ? read.text : undefined;
}
