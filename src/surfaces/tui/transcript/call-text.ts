import type { Update } from "../../../core/events.ts";
import type { Content } from "../../../core/result.ts";
import { printableJson } from "../../../platform/text/printable.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { attachmentFacts } from "../../../sessions/transcript/content-parts.ts";
import { lastWritten, safeLine } from "../safe-text.ts";

/** Characters of a summary, and of one field in it. */
const MAX_SUMMARY = 400;
const MAX_FIELD = 80;
const MAX_FIELDS = 20;

/** One line about an input: its fields. The first one is often what the call is about: if it is a text, its name is left out. */
export function inputSummary(input: unknown): string {
  if (input === undefined) return "";
  if (!isObject(input)) return oneLine(input, MAX_SUMMARY);
  const [first, ...others] = Object.entries(input).slice(0, MAX_FIELDS);
  if (!first) return "";
  if (typeof first[1] !== "string") return [first, ...others].map(fieldText).join(", ");
  return [oneLine(first[1], MAX_SUMMARY), ...others.map(fieldText)].join(", ");
}

/** The fields of an input, each with its name. */
export function inputFields(input: object): string[] {
  return Object.entries(input).slice(0, MAX_FIELDS).map(fieldText);
}

function fieldText([key, value]: readonly [string, unknown]): string {
  return `${oneLine(key, MAX_FIELD)}: ${oneLine(value, MAX_FIELD)}`;
}

/** An input in full, as "key: value" lines. Texts of several lines begin on the next line. */
export function inputText(input: unknown): string {
  if (input === undefined) return "";
  if (!isObject(input)) return valueText(input);
  return Object.entries(input)
    .map(([key, value]) => {
      const text = valueText(value);
      return text.includes("\n") ? `${key}:\n${text.replace(/^/gm, "  ")}` : `${key}: ${text}`;
    })
    .join("\n");
}

/** A value as a person writes it: a text without quotes, other values as JSON. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    const json = printableJson(value);
    return json.length <= MAX_FIELD ? json : printableJson(value, 2);
  } catch {
    return String(value);
  }
}

function oneLine(value: unknown, max: number): string {
  const text = typeof value === "string" ? value : shortJson(value);
  const line = safeLine(text.slice(0, max * 2))
    .replace(/\s+/g, " ")
    .trim();
  return line.length > max || text.length > max * 2 ? `${line.slice(0, max).trimEnd()}…` : line;
}

function shortJson(value: unknown): string {
  return tryOrUndefined(() => printableJson(value)) ?? String(value);
}

/** The last lines of what a running tool has reported: its text, else its data. */
export function progressLines({ title, metadata }: Update, maxLines: number): string[] {
  if (!metadata) return [];
  const { output, ...data } = metadata;
  if (typeof output === "string" && output.trim() !== "") return lastLines(output, maxLines);
  const fields = Object.entries(data).filter(([, value]) => value !== title && value !== "");
  return fields.length === 0 ? [] : [fields.slice(0, MAX_FIELDS).map(fieldText).join(", ")];
}

function lastLines(text: string, maxLines: number): string[] {
  const end = text.slice(-300 * maxLines).trimEnd();
  return end
    .split("\n")
    .slice(-maxLines)
    .map((line) => safeLine(lastWritten(line)));
}

/** An image or a file: its type, its size, and where it is. */
export function attachmentRow(part: Exclude<Content, { type: "text" }>): string {
  return safeLine(`[${part.type}: ${attachmentFacts(part).join(", ")}]`);
}
