import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { Lines } from "../../host/protocol/lines.ts";
import { KeyedMessages } from "../../host/protocol/message-key.ts";
import type { ToHost } from "../../host/protocol/messages.ts";
import type { RuntimeCommand } from "../../host/protocol/runtime.ts";

/** The serving process's end of the messages to and from a host, over a pipe or Node's IPC. The other end: `ParentLink`. */
export interface ChildLink {
  readonly isOpen: boolean;
  /** A message to a process that has exited is lost. Throws for a message that is not JSON or too long. */
  send(message: ToHost): void;
  /** Ends this side: the host reads the end of the stream. */
  close(): void;
  /** Stops reading, even if a process still has the other end open. */
  destroy(): void;
  /** While retained, the link keeps this process alive. */
  retain(): void;
  release(): void;
}

/** Events of a link. */
interface ChildLinkEvents {
  /** Any data came, even part of a message. */
  heard(): void;
  /** A message, parsed from JSON. May throw. */
  message(message: unknown): void;
  /** A message was not JSON, was too long, or made `message` throw. Nothing is read after it. */
  broken(error: unknown): void;
  closed(): void;
}

/** Opens the link of a child process that was started with this runtime. */
export function openLink(child: ChildProcess, { carrier }: RuntimeCommand, on: ChildLinkEvents): ChildLink {
  return carrier === "pipe" ? pipeLink(child, on) : ipcLink(child, on);
}

const TOO_LONG = new RangeError("The message is too long.");

/** Reads messages until one fails. */
function reader<T>(
  read: (came: T) => void,
  broken: (error: unknown) => void,
): { read(came: T): void; giveUp(error: unknown): void } {
  let isBroken = false;
  const giveUp = (error: unknown): void => {
    if (!isBroken) broken(error);
    isBroken = true;
  };
  return {
    read(came) {
      if (isBroken) return;
      try {
        read(came);
      } catch (error) {
        giveUp(error);
      }
    },
    giveUp,
  };
}

function pipeLink(child: ChildProcess, on: ChildLinkEvents): ChildLink {
  const stream = child.stdio[3] as Socket;
  const messages = new KeyedMessages();
  const { read, giveUp } = reader(
    (text: string) => on.message(messages.fromLine(text)),
    (error) => on.broken(error),
  );
  const lines = new Lines(stream, { data: () => on.heard(), line: read, tooLong: () => giveUp(TOO_LONG) });
  stream.on("close", () => on.closed());
  return {
    get isOpen() {
      return !stream.destroyed;
    },
    send: (message) => lines.send(message),
    close() {
      lines.flush();
      stream.end();
    },
    destroy: () => void stream.destroy(),
    retain: () => void stream.ref(),
    // `unref` on a destroyed stream would wait for a connection.
    release: () => void (stream.destroyed || stream.unref()),
  };
}

/** Bun can only use Node's IPC channel. */
function ipcLink(child: ChildProcess, on: ChildLinkEvents): ChildLink {
  const messages = new KeyedMessages();
  const { read, giveUp } = reader(
    (value: unknown) => {
      on.heard();
      on.message(messages.fromValue(value));
    },
    (error) => on.broken(error),
  );
  guardReading(child, giveUp);
  // Node's internal messages (`cmd: "NODE_…"`) pass handles, which hosts never send. Node's handlers throw for invalid ones.
  child.removeAllListeners("internalMessage").on("internalMessage", read);
  child.on("message", read);
  child.on("disconnect", () => on.closed());
  return {
    get isOpen() {
      return child.connected;
    },
    send: (message) => void (child.connected && child.send(message, () => {})),
    close: () => void (child.connected && child.disconnect()),
    destroy: () => void (child.connected && child.disconnect()),
    retain: () => void child.channel?.ref?.(),
    release: () => void child.channel?.unref?.(),
  };
}

/**
 * Node parses IPC messages where no caller can catch the error. A tool that writes garbage to the channel of its process
 * must not end this one, so the read callback is wrapped, and `broken` is called.
 */
function guardReading(child: ChildProcess, broken: (error: unknown) => void): void {
  const handle = channelOf(child);
  const read = handle?.onread;
  if (!handle || !read) return;
  handle.onread = (...args) => {
    try {
      return read.apply(handle, args);
    } catch (error) {
      return broken(error);
    }
  };
}

interface Reading {
  onread?: (...args: unknown[]) => unknown;
}

/** Node has no public API for the handle. If it is not found, reads are not guarded. */
function channelOf(child: ChildProcess): Reading | undefined {
  const symbol = Object.getOwnPropertySymbols(child).find(({ description }) => description === "kChannelHandle");
  return symbol && (child as unknown as Record<symbol, Reading | undefined>)[symbol];
}
