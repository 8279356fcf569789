import { Socket } from "node:net";
import { messageOf } from "../core/error.ts";
import { Lines } from "../protocol/lines.ts";
import { type Keyed, newMessageKey } from "../protocol/message-key.ts";
import type { FromHost, ToHost } from "../protocol/messages.ts";

/** A host's end of the messages between it and the process that serves. */
export interface HostLink {
  /** Never throws: what cannot cross is told instead of what it was the answer to. */
  send(message: FromHost): void;
  /** Lets out what has been said. Answers with what waits for it, where it is not out at once. */
  drained(): Promise<void> | undefined;
  /** While retained, the link keeps this process alive. It is retained from the start. */
  retain(): void;
  release(): void;
}

/** What comes over it. */
export interface HostLinkEvents {
  message(message: ToHost): void;
  /** The process that serves is gone, or needs this one no longer. */
  closed(): void;
}

/** Takes the link that this process was started with, so that what authors write cannot reach the protocol by chance. */
export function takeLink(on: HostLinkEvents): HostLink {
  const send = process.send?.bind(process);
  const key = newMessageKey();
  const link = send ? overIpc(send, on, key) : overPipe(on, key);
  return { ...link, send: (message) => sendOrTell(message, link.send) };
}

/** The file that the other end of the pipe is, in a process which was started with one. */
const PIPE = 3;

/**
 * Each message has a turn of its own, so that the result of a call that is soon done goes out together with the word
 * that the next has begun. All else goes out at once: a tool may not let this process come to the end of a turn for long.
 */
function overPipe(on: HostLinkEvents, key: string): HostLink {
  const stream = new Socket({ fd: PIPE, readable: true, writable: true });
  const waiting: string[] = [];
  const next = (): void => {
    const line = waiting.shift();
    if (waiting.length > 0) process.nextTick(next);
    if (line === undefined) return;
    const message = JSON.parse(line) as ToHost;
    // What it makes an author's code do may block, and is not announceStart first.
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

/** What a pipe takes at once, and to spare. */
const SMALL = 16_384;

function overIpc(send: Send, on: HostLinkEvents, key: string): HostLink {
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

/** Whether a message may not be out as soon as it has been handed over. */
function isLarge(message: FromHost): boolean {
  if (message.type !== "result") return message.type === "update" || message.type === "loaded";
  const { content, data } = message.result;
  const size = content.reduce((sum, part) => sum + (part.type === "text" ? part.text : (part.data ?? "")).length, 0);
  return data !== undefined || size > SMALL;
}

function sendOrTell(message: FromHost, send: HostLink["send"]): void {
  try {
    send(message);
  } catch (error) {
    const instead = unsendable(message, messageOf(error));
    if (instead) send(instead);
  }
}

/** What somebody waits for must come, even if it holds what cannot cross. */
function unsendable(message: FromHost, why: string): FromHost | undefined {
  const words = `What the tool gave cannot be sent: ${why}. Return plain data only, and what is large as a file.`;
  if (message.type === "answer") return { ...message, answer: { kind: "failed", message: words } };
  if (message.type !== "result") return undefined;
  return { ...message, result: { ok: false, code: "invalid_output", message: words, content: [] } };
}
