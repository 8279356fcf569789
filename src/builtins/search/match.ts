/** A line that matches. */
export interface LineMatch {
  /** From 1 on. */
  readonly line: number;
  /** Where in the line it matches, in bytes from 1 on. */
  readonly column: number;
  /** Where the line begins in the file, in bytes. */
  readonly offset: number;
  /** The line without its end, cut when it is long. */
  readonly text: string;
  readonly isCut: boolean;
}

/** A file's matching lines, by their order. */
export interface FileMatches {
  /** From the folder that is searched, with `/` between the names. */
  readonly path: string;
  readonly lines: readonly LineMatch[];
}

export function countOf(files: readonly FileMatches[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** As many matches as are wanted, from the first on. */
export function firstOf(files: readonly FileMatches[], wanted: number): FileMatches[] {
  let left = wanted;
  return files.flatMap(({ path, lines }) => {
    const taken = lines.slice(0, left);
    left -= taken.length;
    return taken.length > 0 ? [{ path, lines: taken }] : [];
  });
}

/** A line as it is shown: without a carriage return at its end, and at most so long. */
export function cutLine(line: string, longest: number): { text: string; isCut: boolean } {
  const whole = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (whole.length <= longest) return { text: whole, isCut: false };
  const splits = isFirstHalf(whole.charCodeAt(longest - 1));
  return { text: whole.slice(0, splits ? longest - 1 : longest), isCut: true };
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
