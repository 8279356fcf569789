import type { ServerResponse } from "node:http";

/** A tool call of a model. */
export interface ModelCall {
  readonly call: string;
  readonly input: Record<string, unknown>;
}

/** One turn of a model: a tool call, several at once with an optional text before them, or the final message. */
export type Turn =
  | ModelCall
  | { readonly calls: readonly ModelCall[]; readonly say?: string }
  | { readonly say: string };

/** A turn as it is sent: with the ids of its calls. */
export interface Reply {
  readonly text?: string;
  readonly calls: readonly (ModelCall & { readonly id: string })[];
}

/** The calls get ids from the number of the request: unique, and known to the test. */
export function toReply(turn: Turn, number: number): Reply {
  const calls = "calls" in turn ? turn.calls : "call" in turn ? [turn] : [];
  const text = "say" in turn ? turn.say : undefined;
  return {
    ...(text === undefined ? {} : { text }),
    calls: calls.map(({ call, input }, index) => ({ call, input, id: `call_${number}_${index}` })),
  };
}

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

/** A part of the conversation in a request: text of a user (or of the agent in the name of the user), or the result of a call. */
export type Item =
  | { readonly user: string }
  /** Without the id of the call if the API has none. */
  | { readonly answer: Answer; readonly callID?: string };

/** A model API over HTTP. */
export interface Wire {
  /** The paths of the API. */
  readonly path: RegExp;
  /** The tools in a request. A request without tools is not part of the conversation (for example, it asks for a title). */
  readonly offered: (body: unknown) => Offered[];
  /** The texts of the user and the results of calls so far, in order. */
  readonly items: (body: unknown) => Item[];
  /** All images in a request, in base64. */
  readonly pictures: (body: unknown) => string[];
  /** Writes the whole response. */
  readonly speak: (reply: Reply, request: SpokenTo, response: ServerResponse) => void;
}

export interface SpokenTo {
  readonly path: string;
  readonly body: unknown;
  /** Unique for each request. */
  readonly number: number;
}

/** The results of all calls in a request, in order. */
export function answersIn(wire: Wire, body: unknown): Answer[] {
  return wire.items(body).flatMap((item) => ("answer" in item ? [item.answer] : []));
}

/** A text in pieces, as models stream it: one to four, of whole words. */
export function piecesOf(text: string): string[] {
  const words = text.split(/(?<=\s)/);
  const size = Math.max(1, Math.ceil(words.length / 4));
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
    words.slice(index * size, (index + 1) * size).join(""),
  );
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
