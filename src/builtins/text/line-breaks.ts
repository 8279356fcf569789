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
