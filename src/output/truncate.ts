import type { Content } from "../core/result.ts";
import type { Cut, FullOutputStore, OutputLimits } from "./collector.ts";
import { OutputCollector } from "./collector.ts";

/** Cuts a text that is over its limits and ends it with a notice; the whole goes to the store. One pass, bounded memory. */
export function truncate(text: string, limits: OutputLimits, store: FullOutputStore): Cut {
  if (fits(text, limits)) return { text: text.toWellFormed() };
  const collector = new OutputCollector(limits, store);
  collector.push(text);
  return collector.end();
}

/** Cuts the text parts together, as they are read: joined by newlines. Where they are cut, they become one part. */
export function truncateContent(
  content: readonly Content[],
  limits: OutputLimits,
  store: FullOutputStore,
): { content: readonly Content[]; truncated?: NonNullable<Cut["truncated"]> } {
  if (allFit(content, limits)) return { content };
  const collector = new OutputCollector(limits, store);
  content
    .filter((part) => part.type === "text")
    .forEach((part, index) => {
      collector.push(index === 0 ? part.text : `\n${part.text}`);
    });
  const { text, truncated } = collector.end();
  if (!truncated) return { content };
  const at = content.findIndex((part) => part.type === "text");
  const others: Content[] = content.filter((part) => part.type !== "text");
  return { content: others.toSpliced(at, 0, { type: "text", text }), truncated };
}

/** The common case, told without copying anything: one text, or none. Several are left to the collector. */
function allFit(content: readonly Content[], limits: OutputLimits): boolean {
  const texts = content.filter((part) => part.type === "text");
  const [first] = texts;
  return !first || (texts.length === 1 && fits(first.text, limits));
}

function fits(text: string, { maxLines, maxBytes }: OutputLimits): boolean {
  // Every UTF-16 unit takes a byte or more, so nothing longer than the limit is looked at.
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
