import type { ServerResponse } from "node:http";

/** What a model says in one turn: a call of a tool, by the name it was offered under, or its last words. */
export type Turn = { readonly call: string; readonly input: Record<string, unknown> } | { readonly say: string };

/** A tool as a model is shown it. */
export interface Offered {
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

/** What a model is told of a call. `failed` only where the wire has a word for it. */
export interface Answer {
  readonly text: string;
  readonly failed?: true;
}

/** One way in which agents and models speak over HTTP. */
export interface Wire {
  /** The paths on which it is spoken. */
  readonly path: RegExp;
  /** The tools in a request. Without any it is no part of the conversation: a title is wanted, or the like. */
  readonly offered: (body: unknown) => Offered[];
  /** What has come of all calls so far, in their order. */
  readonly answers: (body: unknown) => Answer[];
  /** All pictures in a request, in base64. */
  readonly pictures: (body: unknown) => string[];
  /** Writes the whole response. */
  readonly speak: (turn: Turn, request: SpokenTo, response: ServerResponse) => void;
}

/** What a wire needs to know of the request it answers. */
export interface SpokenTo {
  readonly path: string;
  readonly body: unknown;
  /** Different for each request. */
  readonly number: number;
}

/** A text, or the texts of a list of parts; pictures are left out. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  const parts = content.filter(({ type }: { type?: string }) => !type?.includes("image"));
  return parts.map((part: { text?: string }) => part.text ?? JSON.stringify(part)).join("\n");
}

/** The base64 in a `data:` address. */
export function dataIn(url: string): string {
  return url.slice(url.indexOf(",") + 1);
}

export function writeJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Events of a stream, with a name of their own where the wire gives them one. */
export function writeEvents(response: ServerResponse, events: readonly unknown[], named = false): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    const name = named ? `event: ${(event as { type: string }).type}\n` : "";
    response.write(`${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}
