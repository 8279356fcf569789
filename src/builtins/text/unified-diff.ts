import { withLineFeeds } from "../../platform/text/line-breaks.ts";
import { defined } from "../../platform/values/defined.ts";

export interface Diff {
  /** In unified format; undefined when it would be too long or take too long. */
  readonly text?: string;
  readonly additions: number;
  readonly deletions: number;
}

const CONTEXT = 3;
/** Comparing two very different texts takes time with the square of their length. */
const MAX_MS = 300;

/** Compares two texts, ignoring line breaks. Compares only the part between their common beginning and end. */
export async function unifiedDiff(name: string, before: string, after: string, maxBytes: number): Promise<Diff> {
  const { FILE_HEADERS_ONLY, formatPatch, structuredPatch } = await import("diff");
  const middle = middleOf(withLineFeeds(before), withLineFeeds(after));
  const options = { context: CONTEXT, timeout: MAX_MS };
  const patch = structuredPatch(name, name, middle.before, middle.after, "", "", options);
  if (!patch) return { additions: countFeeds(middle.after), deletions: countFeeds(middle.before) };
  for (const hunk of patch.hunks) {
    hunk.oldStart += middle.line;
    hunk.newStart += middle.line;
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = formatPatch(patch, FILE_HEADERS_ONLY);
  return {
    ...(Buffer.byteLength(text) <= maxBytes ? { text } : {}),
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** "+2 -1 lines" */
export function changesOf({ additions, deletions }: Diff): string {
  return `+${additions} -${deletions} lines`;
}

export function diffData({ text, additions, deletions }: Diff): Readonly<Record<string, unknown>> {
  return { additions, deletions, ...defined({ diff: text }) };
}

interface Middle {
  readonly before: string;
  readonly after: string;
  /** The number of lines before it. */
  readonly line: number;
}

/** Both texts without their common beginning and end, except for the context lines. */
function middleOf(before: string, after: string): Middle {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - tail - 1) === after.charCodeAt(after.length - tail - 1)
  ) {
    tail += 1;
  }
  const start = linesBack(before, head);
  const rest = before.length - linesOn(before, before.length - tail);
  return {
    before: before.slice(start, before.length - rest),
    after: after.slice(start, after.length - rest),
    line: countFeeds(before.slice(0, start)),
  };
}

/** The start of the line CONTEXT lines before this one. */
function linesBack(text: string, from: number): number {
  let at = from;
  for (let i = 0; i <= CONTEXT && at > 0; i++) at = text.lastIndexOf("\n", at - 1);
  return at <= 0 ? 0 : at + 1;
}

/** The end of the line CONTEXT lines after this one, including its line feed. */
function linesOn(text: string, from: number): number {
  let at = from - 1;
  for (let i = 0; i <= CONTEXT; i++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text.length;
  }
  return at + 1;
}

function countFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
