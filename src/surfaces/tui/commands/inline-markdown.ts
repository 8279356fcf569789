import { firstLine, printable } from "../../../platform/text/printable.ts";
import { escapedText } from "../../../sessions/transcript/safe-markdown.ts";

/** A text as a code span, on one line. The text cannot end the span. */
export function inlineCode(text: string): string {
  const line = printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** The first line of an untrusted text, without markup. A longer one is cut. */
export function inlineText(text: string, maxLength: number = MAX_LENGTH): string {
  const line = firstLine(text);
  return escapedText(line.length > maxLength ? `${line.slice(0, maxLength - 1).trimEnd()}…` : line);
}

const MAX_LENGTH = 200;

/** Lines below a title; empty without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `**${title}**`, "", ...lines];
}
