import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { Lines } from "../protocol/lines.ts";
import { KeyedMessages } from "../protocol/message-key.ts";
import type { ToHost } from "../protocol/messages.ts";
import type { Runtime } from "../protocol/runtime.ts";

/** The messages between this process and a host, whatever carries them. */
export interface Link {
  readonly isOpen: boolean;
  /** What is sent to a process that has gone is lost. Throws for what has no form in JSON, or too long a one. */
  send(message: ToHost): void;
  /** Lets the other end know that nothing more will come. */
  close(): void;
  /** Reads nothing more, whatever still holds the other end. */
  destroy(): void;
  /** While held it keeps this process alive; released, it does not. */
  retain(): void;
  release(): void;
}

/** What is heard over a link. */
export interface LinkEvents {
  /** Something came, if only a part of a message. */
  heard(): void;
  /** What came, as it was read from JSON. May throw. */
  message(message: unknown): void;
  /** What came was not JSON, too long, or made `message` throw. Nothing is read after it. */
  broken(error: unknown): void;
  /** Nothing more will come. */
  closed(): void;
}

/** Talks to a child process that was started with that link. */
export function openLink(child: ChildProcess, { carrier }: Runtime, on: LinkEvents): Link {
  return carrier === "pipe" ? pipeLink(child, on) : ipcLink(child, on);
}

/** A line that ended later than the longest message does. */
const TOO_LONG = new RangeError("The message is too long.");

/** Reads what comes until reading fails once. Nothing is read after that. */
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

function pipeLink(child: ChildProcess, on: LinkEvents): Link {
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
    // One that is over would only be made to wait for a connection.
    release: () => void (stream.destroyed || stream.unref()),
  };
}

/** Of Bun's processes only those can be talked to that are told of the channel as Node tells its own. */
function ipcLink(child: ChildProcess, on: LinkEvents): Link {
  const messages = new KeyedMessages();
  const { read, giveUp } = reader(
    (value: unknown) => {
      on.heard();
      on.message(messages.fromValue(value));
    },
    (error) => on.broken(error),
  );
  guardReading(child, giveUp);
  // Node's own messages (`cmd: "NODE_…"`) are about handles, which are never sent here. Its handlers throw for bad ones.
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
 * Node parses what comes from a child where nobody can catch what that throws. A tool that writes to the channel of its
 * own process must not end ours, so the reading is wrapped; `broken` is called instead.
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

/** There is no public way to it; where it is not found, nothing is guarded. */
function channelOf(child: ChildProcess): Reading | undefined {
  const symbol = Object.getOwnPropertySymbols(child).find(({ description }) => description === "kChannelHandle");
  return symbol && (child as unknown as Record<symbol, Reading | undefined>)[symbol];
}
