import { messageOf, ToolError } from "../../core/error.ts";
import type { Content, ShapedResult } from "../../core/result.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { toContent } from "./content.ts";

/**
 * Converts the return value of a tool. The value is not trusted: it may be a proxy or have getters that throw.
 * Throws only a `ToolError` of the code `invalid_output`.
 */
export function shape(returned: unknown): ShapedResult {
  try {
    return shapeAny(returned);
  } catch (error) {
    throw new ToolError("invalid_output", explain(error), { cause: error });
  }
}

/** The converted return value of a tool with a declared output. */
interface Declared {
  /** The value to check against the declared output. */
  readonly value: unknown;
  /** The content for the model. */
  readonly shaped: Omit<ShapedResult, "data">;
}

/**
 * Converts the return value of a tool with a declared output. `value` is its data (`metadata`, `details`,
 * `structuredContent`), or the whole return value if it has no data.
 */
export function shapeDeclared(returned: unknown): Declared {
  try {
    const value = dataIn(returned);
    if (!value) return { value: returned, shaped: { content: [], isError: false } };
    const { data: _, ...shaped } = shapeAny(returned);
    return { value: value.data, shaped };
  } catch (error) {
    throw new ToolError("invalid_output", explain(error), { cause: error });
  }
}

/** The data of a result that has separate content; undefined for other values. */
function dataIn(returned: unknown): { data: unknown } | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  if (returned instanceof Error) return { data: undefined };
  const { output, content } = returned as { output?: unknown; content?: unknown };
  if (typeof output === "string") return "metadata" in returned ? { data: returned.metadata } : undefined;
  if (!isContentList(content, returned)) return undefined;
  const { details, structuredContent } = returned as ContentResult;
  return { data: details ?? structuredContent };
}

/** A value as JSON, and as text for the model. Throws a `ToolError` of the code `invalid_output`. */
export function asSent(value: unknown): { data?: unknown; text: string } {
  if (value === undefined) return { text: "" };
  try {
    const json = toJson(value);
    return { data: JSON.parse(json) as unknown, text: typeof value === "string" ? value.toWellFormed() : json };
  } catch (error) {
    throw new ToolError("invalid_output", explain(error), { cause: error });
  }
}

function shapeAny(returned: unknown): ShapedResult {
  if (returned === undefined) return { content: [], isError: false };
  if (typeof returned === "string") return { content: texts(returned), isError: false };
  if (returned instanceof Error) return { content: texts(messageOf(returned)), isError: true };
  if (typeof returned === "object" && returned !== null) {
    const { output, content } = returned as { output?: unknown; content?: unknown };
    if (typeof output === "string") return shapeOutput(output, returned);
    if (isContentList(content, returned)) return shapeContent(content, returned);
  }
  return { content: texts(toJson(returned)), isError: false };
}

function shapeOutput(
  output: string,
  fields: { title?: unknown; metadata?: unknown; attachments?: unknown },
): ShapedResult {
  const { title, metadata, attachments } = fields;
  const content = [...texts(output), ...toList(attachments).map(toContent)];
  return { ...titled(title), content, ...withData(metadata), isError: false };
}

interface ContentResult {
  title?: unknown;
  details?: unknown;
  structuredContent?: unknown;
  isError?: unknown;
}

function shapeContent(content: readonly unknown[], fields: ContentResult): ShapedResult {
  const { title, details, structuredContent, isError } = fields;
  return {
    ...titled(title),
    content: content.map(toContent),
    ...withData(details ?? structuredContent),
    isError: isError === true,
  };
}

/** Whether `content` is a list of content parts. Other data may have a field of that name. */
function isContentList(content: unknown, around: object): content is readonly unknown[] {
  if (!Array.isArray(content)) return false;
  if (content.length === 0) return Object.keys(around).every((key) => RESULT_KEYS.has(key));
  return content.some((part) => PART_TYPES.has(part?.type));
}

const PART_TYPES = new Set(["text", "image", "audio", "file", "resource", "resource_link"]);
const RESULT_KEYS = new Set(["content", "details", "structuredContent", "isError", "title", "_meta"]);

/** Some models reject empty text parts. */
function texts(text: string): Content[] {
  return text === "" ? [] : [{ type: "text", text: text.toWellFormed() }];
}

function titled(title: unknown): { title?: string } {
  return typeof title === "string" && title !== "" ? { title: title.toWellFormed() } : {};
}

function withData(data: unknown): { data?: unknown } {
  return data === undefined || data === null ? {} : { data: JSON.parse(toJson(data)) };
}

function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function toJson(value: unknown): string {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`a ${typeof value} has no JSON form`);
  return json;
}

function explain(error: unknown): string {
  const [reason] = readable(error).split("\n");
  return `The tool's result cannot be written as JSON: ${reason}. It should return a string, or plain JSON data (a BigInt as a string, no circular references).`;
}

function readable(error: unknown): string {
  return tryOrUndefined(() => messageOf(error)) ?? "reading it failed";
}
