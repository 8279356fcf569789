export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES: number = 50 * 1024;
export const GREP_MAX_LINE_LENGTH = 500;

/** A truncated text, with the original size. */
export interface TruncationResult {
  content: string;
  truncated: boolean;
  truncatedBy: "lines" | "bytes" | null;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  /** Whether only the end of the last line was kept because that line exceeds the limit. */
  lastLinePartial: boolean;
  /** Whether nothing was kept because the first line exceeds the limit. */
  firstLineExceedsLimit: boolean;
  maxLines: number;
  maxBytes: number;
}

export interface TruncationOptions {
  maxLines?: number;
  maxBytes?: number;
}

/** Keeps the first lines, only whole ones. */
export function truncateHead(content: string, options: TruncationOptions = {}): TruncationResult {
  const text = measure(content, options);
  if (fits(text)) return whole(text);
  const kept: string[] = [];
  const by = collect(text, text.lines, (line) => kept.push(line));
  const tooLong = kept.length === 0 && by === "bytes";
  return { ...cut(text, kept, by), firstLineExceedsLimit: tooLong };
}

/** Keeps the last lines, only whole ones, unless the last line exceeds the limit. */
export function truncateTail(content: string, options: TruncationOptions = {}): TruncationResult {
  const text = measure(content, options);
  if (fits(text)) return whole(text);
  const kept: string[] = [];
  const by = collect(text, text.lines.slice(-text.maxLines).toReversed(), (line) => kept.push(line));
  kept.reverse();
  const last = text.lines.at(-1);
  if (kept.length > 0 || by === "lines" || last === undefined) return cut(text, kept, by);
  return { ...cut(text, [endOf(last, text.maxBytes)], by), lastLinePartial: true };
}

export function truncateLine(
  line: string,
  maxChars: number = GREP_MAX_LINE_LENGTH,
): { text: string; wasTruncated: boolean } {
  if (line.length <= maxChars) return { text: line, wasTruncated: false };
  return { text: `${line.slice(0, maxChars)}... [truncated]`, wasTruncated: true };
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)}KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}

interface Measured extends Required<TruncationOptions> {
  readonly content: string;
  readonly lines: readonly string[];
  readonly bytes: number;
}

function measure(content: string, options: TruncationOptions): Measured {
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES } = options;
  return { content, lines, bytes: Buffer.byteLength(content), maxLines, maxBytes };
}

function fits({ lines, bytes, maxLines, maxBytes }: Measured): boolean {
  return lines.length <= maxLines && bytes <= maxBytes;
}

/** Passes lines to `keep` within both limits. Returns the limit that was reached. */
function collect(
  { lines: all, maxLines, maxBytes }: Measured,
  lines: readonly string[],
  keep: (line: string) => void,
): "lines" | "bytes" {
  let bytes = 0;
  for (const [index, line] of lines.slice(0, maxLines).entries()) {
    bytes += Buffer.byteLength(line) + Number(index > 0);
    if (bytes > maxBytes) return "bytes";
    keep(line);
  }
  return all.length > maxLines ? "lines" : "bytes";
}

function whole(text: Measured): TruncationResult {
  return { ...cut(text, text.lines, null), content: text.content, truncated: false, outputBytes: text.bytes };
}

function cut(text: Measured, kept: readonly string[], truncatedBy: "lines" | "bytes" | null): TruncationResult {
  const content = kept.join("\n");
  return {
    content,
    truncated: true,
    truncatedBy,
    totalLines: text.lines.length,
    totalBytes: text.bytes,
    outputLines: kept.length,
    outputBytes: Buffer.byteLength(content),
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines: text.maxLines,
    maxBytes: text.maxBytes,
  };
}

/** The end of a line, cut at a character boundary. */
function endOf(line: string, maxBytes: number): string {
  const bytes = Buffer.from(line);
  const isInside = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let start = bytes.length - maxBytes;
  while (isInside(start)) start += 1;
  return bytes.toString("utf8", start);
}
