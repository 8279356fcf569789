import type { Content } from "../../core/result.ts";
import { sizeText } from "../../platform/text/amount-text.ts";
import type { TranscriptPart } from "./transcript-item.ts";

/** The parts of a message or a result. Images and files are named, not included. `toPart` converts a text. */
export function contentParts(content: readonly Content[], toPart: (text: string) => TranscriptPart): TranscriptPart[] {
  return content.flatMap((part): TranscriptPart[] => {
    if (part.type !== "text") return [{ kind: "plain", text: attachmentText(part) }];
    return part.text.trim() === "" ? [] : [toPart(part.text)];
  });
}

export function prosePart(text: string): TranscriptPart {
  return { kind: "prose", text };
}

export function outputPart(text: string): TranscriptPart {
  return { kind: "data", text, language: "text" };
}

/** A value as JSON: on one line if it is short. */
export function jsonPart(value: unknown): TranscriptPart {
  const line = JSON.stringify(value) ?? "undefined";
  const text = line.length <= MAX_LINE ? line : (JSON.stringify(value, null, 2) ?? line);
  return { kind: "data", text, language: "json" };
}

const MAX_LINE = 100;

function attachmentText(part: Exclude<Content, { type: "text" }>): string {
  return `[${[part.type, ...attachmentFacts(part)].join(", ")}]`;
}

/** The name, the type, the size and the place of an image or a file, as far as they are known. */
export function attachmentFacts(part: Exclude<Content, { type: "text" }>): string[] {
  const name = part.type === "file" ? part.name : undefined;
  const url = part.type === "file" ? part.url : undefined;
  const size = part.data === undefined ? undefined : sizeText(Math.floor((part.data.length * 3) / 4));
  return [name, part.mimeType, size, url].filter((fact) => fact !== undefined);
}
