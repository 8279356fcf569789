/** A line that matches. */
export interface LineMatch {
  /** Counted from 1. */
  readonly line: number;
  /** The position of the match in the line, in bytes from 1. */
  readonly column: number;
  /** The byte offset of the line in the file. */
  readonly offset: number;
  /** The line without its line break, cut when it is long. */
  readonly text: string;
  readonly isCut: boolean;
}

export interface FileMatches {
  /** Relative to the folder that is searched, with `/` separators. */
  readonly path: string;
  readonly lines: readonly LineMatch[];
}

export function countOf(files: readonly FileMatches[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The first `wanted` matches. */
export function firstOf(files: readonly FileMatches[], wanted: number): FileMatches[] {
  let left = wanted;
  return files.flatMap(({ path, lines }) => {
    const taken = lines.slice(0, left);
    left -= taken.length;
    return taken.length > 0 ? [{ path, lines: taken }] : [];
  });
}

/** Removes a carriage return at the end, and cuts the line. */
export function cutLine(line: string, maxLength: number): { text: string; isCut: boolean } {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (whole.length <= maxLength) return { text: whole, isCut: false };
  const splits = isFirstHalf(whole.charCodeAt(maxLength - 1));
  return { text: whole.slice(0, splits ? maxLength - 1 : maxLength), isCut: true };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
