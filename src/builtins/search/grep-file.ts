import { readSync } from "node:fs";
import type { LineQuery } from "./line-query.ts";
import type { FileMatches, LineMatch } from "./match.ts";
import { MatchReader } from "./match-reader.ts";
import { closeQuietly, openInside } from "./open-inside.ts";
import { runRipgrepOn } from "./ripgrep.ts";

/** The first `limit` matching lines of one file. */
export async function grepFile(
  program: string,
  folder: string,
  name: string,
  query: LineQuery,
  limit: number,
  signal: AbortSignal,
): Promise<readonly LineMatch[] | "binary" | "unreadable"> {
  const descriptor = openInside(folder, name);
  if (descriptor === undefined) return "unreadable";
  try {
    const lines = await grepOpenFile(program, descriptor, query, limit, signal);
    return lines.length === 0 && (await isBinary(program, folder, name, signal)) ? "binary" : lines;
  } finally {
    closeQuietly(descriptor);
  }
}

/**
 * Keeps only matches that are in the file at this path: a folder may have been replaced by a link while ripgrep searched.
 * If the bytes of a line differ, as in UTF-16, searches the opened file again.
 */
export async function confirmMatches(
  program: string,
  folder: string,
  { path, lines }: FileMatches,
  query: LineQuery,
  signal: AbortSignal,
): Promise<FileMatches> {
  const descriptor = openInside(folder, path);
  if (descriptor === undefined) return { path, lines: [] };
  try {
    if (lines.every((line) => isInFile(line, descriptor))) return { path, lines };
    return { path, lines: await grepOpenFile(program, descriptor, query, lines.length, signal) };
  } finally {
    closeQuietly(descriptor);
  }
}

export function searchArgs({ pattern, lineLength }: LineQuery, perFile: number): string[] {
  return [
    ...SEARCH_FLAGS,
    // In bytes: a character has at most four.
    `--max-columns=${4 * lineLength}`,
    `--max-count=${perFile}`,
    `--regexp=${pattern}`,
  ];
}

const SEARCH_FLAGS = [
  "--case-sensitive",
  "--crlf",
  "--no-mmap",
  "--no-heading",
  "--with-filename",
  "--line-number",
  "--column",
  "--byte-offset",
  "--max-columns-preview",
];

/** Empty for a binary file. */
async function grepOpenFile(
  program: string,
  descriptor: number,
  query: LineQuery,
  limit: number,
  signal: AbortSignal,
): Promise<readonly LineMatch[]> {
  const reader = new MatchReader(query.lineLength, "", () => true);
  await runRipgrepOn(descriptor, program, searchArgs(query, limit), signal, (text) => {
    reader.push(text);
    return false;
  });
  return reader.files()[0]?.lines ?? [];
}

/** Whether the text of a file contains a NUL byte. */
async function isBinary(program: string, folder: string, name: string, signal: AbortSignal): Promise<boolean> {
  const descriptor = openInside(folder, name);
  if (descriptor === undefined) return false;
  let found = false;
  try {
    await runRipgrepOn(descriptor, program, ["--text", "--max-count=1", "--regexp=\\x00"], signal, () => {
      found = true;
      return true;
    });
    return found;
  } finally {
    closeQuietly(descriptor);
  }
}

function isInFile({ offset, text }: LineMatch, descriptor: number): boolean {
  const expected = Buffer.from(text);
  const actual = Buffer.allocUnsafe(expected.length);
  return readSync(descriptor, actual, 0, expected.length, offset) === expected.length && actual.equals(expected);
}
