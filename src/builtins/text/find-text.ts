import { type LineBreak, usualBreak, withLineFeeds } from "./line-breaks.ts";

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

/**
 * Replaces the occurrences. Line breaks of the replacement become those of the replaced text, or the most frequent ones of
 * the file. All other line breaks stay unchanged.
 */
export function replaceFound(text: string, found: readonly Found[], wanted: string, replacement: string): string {
  const usual = usualBreak(text);
  const starts = toOriginal(
    text,
    found.flatMap(({ start }) => [start, start + wanted.length]),
  );
  const pieces: string[] = [];
  let done = 0;
  for (let i = 0; i < starts.length; i += 2) {
    const [start, end] = [starts[i] as number, starts[i + 1] as number];
    const own = /\r\n|\n|\r/.exec(text.slice(start, end))?.[0] as LineBreak | undefined;
    pieces.push(text.slice(done, start), withBreaks(replacement, own ?? usual));
    done = end;
  }
  return [...pieces, text.slice(done)].join("");
}

export function withBreaks(text: string, kind: LineBreak): string {
  const normalized = withLineFeeds(text);
  return kind === "\n" ? normalized : normalized.replaceAll("\n", () => kind);
}

/** Converts ascending offsets in the text with line feeds to offsets in the original text. */
function toOriginal(text: string, offsets: readonly number[]): number[] {
  let dropped = 0;
  let pair = text.indexOf("\r\n");
  return offsets.map((offset) => {
    while (pair >= 0 && pair - dropped < offset) {
      dropped += 1;
      pair = text.indexOf("\r\n", pair + 2);
    }
    return offset + dropped;
  });
}
