import { Socket } from "node:net";
import { messageOf } from "../../core/error.ts";
import { Lines } from "../protocol/lines.ts";
import { type Keyed, newMessageKey } from "../protocol/message-key.ts";
import type { FromHost, ToHost } from "../protocol/messages.ts";

/** The host's end of the messages to and from the serving process. The other end: `ChildLink`. */
export interface ParentLink {
  /** Never throws: a result or answer that cannot be sent becomes a failure. */
  send(message: FromHost): void;
  /** Flushes. Returns undefined if all messages have been handed to the system, otherwise a promise of that. */
  drained(): Promise<void> | undefined;
  /** While retained, the link keeps this process alive. It is retained from the start. */
  retain(): void;
  release(): void;
}

/** Events from the serving process. */
interface ParentLinkEvents {
  message(message: ToHost): void;
  /** The serving process has exited, or no longer needs this host. */
  closed(): void;
}

/** Takes over the link that this process was started with. Authors' code can no longer reach it by accident. */
export function takeParentLink(on: ParentLinkEvents): ParentLink {
  const send = process.send?.bind(process);
  const key = newMessageKey();
  const link = send ? overIpc(send, on, key) : overPipe(on, key);
  return { ...link, send: (message) => sendOrReportFailure(message, link.send) };
}

/** The file descriptor of the pipe. */
const PIPE = 3;

/**
 * Handles each message in a separate turn, so that the result of a short call is written together with the "started" of the
 * next. Other messages are written at once: a tool may block this process before the end of the turn.
 */
function overPipe(on: ParentLinkEvents, key: string): ParentLink {
  const stream = new Socket({ fd: PIPE, readable: true, writable: true });
  const waiting: string[] = [];
  const next = (): void => {
    const line = waiting.shift();
    if (waiting.length > 0) process.nextTick(next);
    if (line === undefined) return;
    const message = JSON.parse(line) as ToHost;
    // Author's code may block during this message, and its start is not announced.
    if (message.type !== "call" || message.startBy === undefined) lines.flush();
    on.message(message);
  };
  const line = (text: string): void => {
    if (waiting.push(text) === 1) process.nextTick(next);
  };
  const lines = new Lines(stream, { line, tooLong: () => stream.destroy() }, key);
  stream.on("close", () => on.closed());
  return {
    send(message) {
      lines.send(message);
      if (waiting.length === 0 || message.type !== "result") lines.flush();
    },
    drained: () => lines.drained(),
    retain: () => void stream.ref(),
    release: () => void stream.unref(),
  };
}

type Send = NonNullable<typeof process.send>;

/** A message of this size fits into the buffer of a pipe. */
const SMALL = 16_384;

function overIpc(send: Send, on: ParentLinkEvents, key: string): ParentLink {
  delete process.send;
  let onTheWay = 0;
  let whenOut: (() => void)[] = [];
  const out = (): void => {
    onTheWay -= 1;
    if (onTheWay > 0) return;
    for (const tell of whenOut) tell();
    whenOut = [];
  };
  process.on("message", (message: ToHost) => on.message(message));
  process.on("disconnect", () => on.closed());
  return {
    send(message) {
      const keyed: Keyed = { key, message };
      if (!isLarge(message)) return void send(keyed);
      onTheWay += 1;
      send(keyed, undefined, undefined, out);
    },
    drained: () => (onTheWay === 0 ? undefined : new Promise((resolve) => whenOut.push(resolve))),
    retain: () => process.channel?.ref(),
    release: () => process.channel?.unref(),
  };
}

/** Whether `send` may return before the message has been written. */
function isLarge(message: FromHost): boolean {
  if (message.type !== "result") return message.type === "update" || message.type === "loaded";
  const { content, data } = message.result;
  const size = content.reduce((sum, part) => sum + (part.type === "text" ? part.text : (part.data ?? "")).length, 0);
  return data !== undefined || size > SMALL;
}

function sendOrReportFailure(message: FromHost, send: ParentLink["send"]): void {
  try {
    send(message);
  } catch (error) {
    const instead = unsendable(message, messageOf(error));
    if (instead) send(instead);
  }
}

/** The failure that replaces a result or answer: the serving process waits for one. */
function unsendable(message: FromHost, why: string): FromHost | undefined {
  const words = `The result of the tool cannot be sent: ${why}. Return plain JSON data, and large data as a file.`;
  if (message.type === "answer") return { ...message, answer: { kind: "failed", message: words } };
  if (message.type !== "result") return undefined;
  return { ...message, result: { ok: false, code: "invalid_output", message: words, content: [] } };
}
