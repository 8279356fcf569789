import { readSync } from "node:fs";
import type { LineQuery } from "./line-query.ts";
import type { FileMatches, LineMatch } from "./match.ts";
import { MatchReader } from "./match-reader.ts";
import { closeQuietly, openInside } from "./open-inside.ts";
import { type FileProgram, runRipgrepOn } from "./ripgrep.ts";

/** Searches files of a folder. */
interface FileSearch extends FileProgram {
  readonly folder: string;
  readonly query: LineQuery;
}

/** The first `limit` matching lines of one file. */
export async function grepFile(
  search: FileSearch,
  name: string,
  limit: number,
): Promise<readonly LineMatch[] | "binary" | "unreadable"> {
  const descriptor = openInside(search.folder, name);
  if (descriptor === undefined) return "unreadable";
  try {
    const lines = await grepOpenFile(descriptor, search, limit);
    return lines.length === 0 && (await isBinary(search, name)) ? "binary" : lines;
  } finally {
    closeQuietly(descriptor);
  }
}

/**
 * Keeps only matches that are in the file at this path: a folder may have been replaced by a link while ripgrep searched.
 * If the bytes of a line differ, as in UTF-16, searches the opened file again.
 */
export async function confirmMatches(search: FileSearch, { path, lines }: FileMatches): Promise<FileMatches> {
  const descriptor = openInside(search.folder, path);
  if (descriptor === undefined) return { path, lines: [] };
  try {
    if (lines.every((line) => isInFile(line, descriptor))) return { path, lines };
    return { path, lines: await grepOpenFile(descriptor, search, lines.length) };
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
async function grepOpenFile(descriptor: number, search: FileSearch, limit: number): Promise<readonly LineMatch[]> {
  const { query } = search;
  const reader = new MatchReader(query.lineLength, "", () => true);
  await runRipgrepOn(descriptor, search, searchArgs(query, limit), (text) => {
    reader.push(text);
    return false;
  });
  return reader.files()[0]?.lines ?? [];
}

/** Whether the text of a file contains a NUL byte. */
async function isBinary(search: FileSearch, name: string): Promise<boolean> {
  const descriptor = openInside(search.folder, name);
  if (descriptor === undefined) return false;
  let found = false;
  try {
    await runRipgrepOn(descriptor, search, ["--text", "--max-count=1", "--regexp=\\x00"], () => {
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
