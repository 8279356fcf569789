import type { Content } from "../../core/result.ts";
import type { Cut, FullOutputStore, OutputLimits } from "./output-cutter.ts";
import { OutputCutter } from "./output-cutter.ts";

/** Cuts a text that exceeds its limits, adds a notice, and stores the full text. */
export function truncate(text: string, limits: OutputLimits, store: FullOutputStore): Cut {
  if (fits(text, limits)) return { text: text.toWellFormed() };
  const cutter = new OutputCutter(limits, store);
  cutter.push(text);
  return cutter.end();
}

/** Cuts the text parts as one text, joined by newlines. If they are cut, they become one part. */
export function truncateContent(
  content: readonly Content[],
  limits: OutputLimits,
  store: FullOutputStore,
): { content: readonly Content[]; truncated?: NonNullable<Cut["truncated"]> } {
  if (allFit(content, limits)) return { content };
  const cutter = new OutputCutter(limits, store);
  content
    .filter((part) => part.type === "text")
    .forEach((part, index) => {
      cutter.push(index === 0 ? part.text : `\n${part.text}`);
    });
  const { text, truncated } = cutter.end();
  if (!truncated) return { content };
  const at = content.findIndex((part) => part.type === "text");
  const others: Content[] = content.filter((part) => part.type !== "text");
  return { content: others.toSpliced(at, 0, { type: "text", text }), truncated };
}

/** Whether there is at most one text and it fits: the common case, without a copy. */
function allFit(content: readonly Content[], limits: OutputLimits): boolean {
  const texts = content.filter((part) => part.type === "text");
  const [first] = texts;
  return !first || (texts.length === 1 && fits(first.text, limits));
}

function fits(text: string, { maxLines, maxBytes }: OutputLimits): boolean {
  // Each UTF-16 unit takes at least one byte, so longer texts need no count.
  return text.length <= maxBytes && Buffer.byteLength(text) <= maxBytes && !hasMoreLines(text, maxLines);
}

function hasMoreLines(text: string, maxLines: number): boolean {
  let at = 0;
  for (let lines = 0; at < text.length; lines++) {
    if (lines === maxLines) return true;
    const newline = text.indexOf("\n", at);
    if (newline < 0) return lines + 1 > maxLines;
    at = newline + 1;
  }
  return false;
}
