export type LineBreak = "\n" | "\r\n" | "\r";

const BREAKS = /\r\n|\n|\r/g;

/** Replaces all line breaks by line feeds. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** The most frequent line break; a line feed when there is none. */
export function usualBreak(text: string): LineBreak {
  if (!text.includes("\r")) return "\n";
  const counts: Record<LineBreak, number> = { "\n": 0, "\r\n": 0, "\r": 0 };
  for (const [found] of text.matchAll(BREAKS)) counts[found as LineBreak] += 1;
  const [most] = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return (most?.[0] ?? "\n") as LineBreak;
}

/** The number of lines. An empty rest after the last line break is not a line. */
export function countLines(text: string): number {
  if (text === "") return 0;
  const normalized = withLineFeeds(text);
  let breaks = 0;
  for (let at = normalized.indexOf("\n"); at >= 0; at = normalized.indexOf("\n", at + 1)) breaks += 1;
  return normalized.endsWith("\n") ? breaks : breaks + 1;
}

/** A place in a text with line feeds, and what replaces it. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Replaces places, in ascending order, that were found in `withLineFeeds(text)`. Line breaks of a replacement become the first one
 * of the replaced text, or the most frequent one of `text`. All other line breaks stay unchanged.
 */
export function replaceSpans(text: string, replacements: readonly Replacement[]): string {
  const usual = usualBreak(text);
  const offsets = toOriginal(
    text,
    replacements.flatMap(({ start, end }) => [start, end]),
  );
  const pieces: string[] = [];
  let done = 0;
  for (const [index, replacement] of replacements.entries()) {
    const [start, end] = [offsets[2 * index] as number, offsets[2 * index + 1] as number];
    const own = /\r\n|\n|\r/.exec(text.slice(start, end))?.[0] as LineBreak | undefined;
    pieces.push(text.slice(done, start), withBreaks(replacement.text, own ?? usual));
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
