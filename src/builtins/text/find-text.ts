import { type LineBreak, usualBreak, withLineFeeds } from "./line-breaks.ts";

/** Where a text was found. */
export interface Found {
  /** The offset in the text whose line breaks are line feeds. */
  readonly start: number;
  /** The line it begins in, counted from 1. */
  readonly line: number;
}

/** Where a text occurs in another, without overlaps, at most so many times. Both have line feeds for line breaks. */
export function findAll(normalized: string, wanted: string, most: number): Found[] {
  const found: Found[] = [];
  let line = 1;
  // Looked for once for each line: there may be very many in one that is very long.
  let lineEnd = normalized.indexOf("\n");
  for (let start = normalized.indexOf(wanted); start >= 0; start = normalized.indexOf(wanted, start + wanted.length)) {
    for (; lineEnd >= 0 && lineEnd < start; lineEnd = normalized.indexOf("\n", lineEnd + 1)) line += 1;
    found.push({ start, line });
    if (found.length === most) break;
  }
  return found;
}

/**
 * The text with what was found replaced. All line breaks outside are left as they are; those of the replacement become
 * like the ones they replace, or else like most of the text's.
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

/** A text with all its line breaks of one kind. */
export function withBreaks(text: string, kind: LineBreak): string {
  const normalized = withLineFeeds(text);
  return kind === "\n" ? normalized : normalized.replaceAll("\n", () => kind);
}

/** Offsets in a text with line feeds, in ascending order, as offsets in the text itself. */
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
