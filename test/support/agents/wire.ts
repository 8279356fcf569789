import type { ServerResponse } from "node:http";

/** One turn of a model: a tool call, or the final message. */
export type Turn = { readonly call: string; readonly input: Record<string, unknown> } | { readonly say: string };

/** A tool as a model sees it. */
export interface Offered {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** The result of a call as a model sees it. `failed` only if the API marks failures. */
export interface Answer {
  readonly text: string;
  readonly failed?: true;
}

/** A model API over HTTP. */
export interface Wire {
  /** The paths of the API. */
  readonly path: RegExp;
  /** The tools in a request. A request without tools is not part of the conversation (for example, it asks for a title). */
  readonly offered: (body: unknown) => Offered[];
  /** The results of all calls so far, in order. */
  readonly answers: (body: unknown) => Answer[];
  /** All images in a request, in base64. */
  readonly pictures: (body: unknown) => string[];
  /** Writes the whole response. */
  readonly speak: (turn: Turn, request: SpokenTo, response: ServerResponse) => void;
}

export interface SpokenTo {
  readonly path: string;
  readonly body: unknown;
  /** Unique for each request. */
  readonly number: number;
}

/** A text, or the texts of a list of parts without images. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  const parts = content.filter(({ type }: { type?: string }) => !type?.includes("image"));
  return parts.map((part: { text?: string }) => part.text ?? JSON.stringify(part)).join("\n");
}

/** The base64 data of a `data:` URL. */
export function dataIn(url: string): string {
  return url.slice(url.indexOf(",") + 1);
}

export function writeJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Writes server-sent events, with event names if `named` is set. */
export function writeEvents(response: ServerResponse, events: readonly unknown[], named = false): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    const name = named ? `event: ${(event as { type: string }).type}\n` : "";
    response.write(`${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}
