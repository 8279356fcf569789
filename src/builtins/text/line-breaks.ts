export type LineBreak = "\n" | "\r\n" | "\r";

const BREAKS = /\r\n|\n|\r/g;

/** The text with every line break as a line feed. */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** The line break that a text uses most; a line feed when it has none. */
export function usualBreak(text: string): LineBreak {
  if (!text.includes("\r")) return "\n";
  const counts: Record<LineBreak, number> = { "\n": 0, "\r\n": 0, "\r": 0 };
  for (const [found] of text.matchAll(BREAKS)) counts[found as LineBreak] += 1;
  const [most] = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return (most?.[0] ?? "\n") as LineBreak;
}

/** How many lines a text has; what follows the last line break is one only if there is something. */
export function countLines(text: string): number {
  if (text === "") return 0;
  const normalized = withLineFeeds(text);
  let breaks = 0;
  for (let at = normalized.indexOf("\n"); at >= 0; at = normalized.indexOf("\n", at + 1)) breaks += 1;
  return normalized.endsWith("\n") ? breaks : breaks + 1;
}
