export interface Found {
  /** The offset in the text with line feeds. */
  readonly start: number;
  /** The line number, counted from 1. */
  readonly line: number;
}

/** Finds at most `limit` occurrences without overlaps. Both texts have line feeds. */
export function findAll(normalized: string, wanted: string, limit: number): Found[] {
  const found: Found[] = [];
  let line = 1;
  // Searched once per line: one line may have many occurrences.
  let lineEnd = normalized.indexOf("\n");
  for (let start = normalized.indexOf(wanted); start >= 0; start = normalized.indexOf(wanted, start + wanted.length)) {
    for (; lineEnd >= 0 && lineEnd < start; lineEnd = normalized.indexOf("\n", lineEnd + 1)) line += 1;
    found.push({ start, line });
    if (found.length === limit) break;
  }
  return found;
}
