import { createHash } from "node:crypto";
import { type Tool, type ToolContext, ToolError } from "../../index.ts";
import { chunksOf } from "../../platform/files/read-bytes.ts";
import type { Encoding } from "../../platform/text/encoding.ts";
import type { FileView, OpenFileView } from "./file-view.ts";
import { rememberContent, rememberPartial } from "./known-content.ts";
import { LineWindow } from "./line-window.ts";

/** Room for the notice within the limits of the result. */
const NOTICE = { lines: 4, bytes: 1_000 };

/** Returns lines of a text and a notice about what follows. The session remembers the version of the file. */
export async function viewText(view: OpenFileView, encoding: Encoding, context: ToolContext): Promise<Tool.Result> {
  const { first, lines, limits, show, title } = view;
  const maxBytes = Math.max(1, context.limits.maxBytes - NOTICE.bytes);
  const window = new LineWindow({
    first,
    maxLines: Math.max(1, Math.min(lines, context.limits.maxLines - NOTICE.lines)),
    maxCharacters: Math.min(limits.lineCharacters, Math.floor(maxBytes / 4)),
    maxBytes,
    show,
  });
  const isWhole = await fill(window, view, encoding, context);
  if (window.lines.length === 0 && window.seen > 0) throw beyond(view, window.seen);
  const metadata = {
    lines: window.lines.length,
    ...(isWhole ? { totalLines: window.seen } : {}),
    encoding: encoding.name,
  };
  const notice = noticeOf(window, view, isWhole, encoding);
  const output = view.exact
    ? exactText(window, view.exact.isRange, view.lines, notice)
    : [...window.lines, notice].join("\n");
  return { title, metadata, output };
}

function exactText(window: LineWindow, isRange: boolean, wanted: number, notice: string): string {
  const { lines, breaks, seen, next, cut } = window;
  const text = lines.map((line, at) => line + breaks[at]).join("");
  const isComplete = next > seen || (isRange && lines.length === wanted);
  if (isComplete && cut === 0) return text;
  return `${text}${/[\r\n]$/.test(text) ? "" : "\n"}${notice}`;
}

/** True when the file was read to its end. */
async function fill(
  window: LineWindow,
  view: OpenFileView,
  encoding: Encoding,
  context: ToolContext,
): Promise<boolean> {
  const { file, limits } = view;
  const decoder = new TextDecoder(encoding.name);
  const hash = createHash("sha256");
  const isSmall = file.stats.size <= limits.wholeBytes;
  let size = 0;
  for await (const chunk of chunksOf(file.handle, context.abort)) {
    size += chunk.length;
    hash.update(chunk);
    window.push(decoder.decode(chunk, { stream: true }));
    if (!window.isDone || (isSmall && size <= limits.wholeBytes)) continue;
    await rememberPartial(file, context);
    return false;
  }
  window.push(decoder.decode());
  window.end();
  await rememberContent(file.real, size, hash.digest("base64"), context);
  return true;
}

function noticeOf(window: LineWindow, view: FileView, isWhole: boolean, { name }: Encoding): string {
  const { seen, lines, next, cut, maxCharacters } = window;
  if (seen === 0) return "(the file is empty)";
  const notes: string[] = [];
  if (cut > 0) {
    const which = cut === 1 ? "1 line was" : `${cut} lines were`;
    notes.push(`${which} cut after ${maxCharacters} characters: use grep to search in long lines`);
  }
  if (name === "windows-1252") notes.push("the file is not UTF-8 and is shown as Windows-1252");
  const range = lines.length === 1 ? `line ${view.first}` : `lines ${view.first} to ${next - 1}`;
  if (isWhole && next > seen) notes.push(`end of file: ${seen} ${seen === 1 ? "line" : "lines"}`);
  else if (isWhole) notes.push(`${range} of ${seen}: ${view.next(next)}`);
  else notes.push(`${range}, more follow: ${view.next(next)}`);
  return notes.map((each) => `(${each})`).join("\n");
}

function beyond({ displayName, first }: FileView, total: number): ToolError {
  const lines = total === 1 ? "only 1 line" : `only ${total} lines`;
  return new ToolError(
    "failed",
    `"${displayName}" has ${lines}, so there is no line ${first}. Start at a line from 1 to ${total}.`,
  );
}
