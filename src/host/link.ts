import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { guardReading } from "./guard-reading.ts";
import { Lines } from "./lines.ts";
import type { FromHost, ToHost } from "./protocol.ts";
import type { Runtime } from "./runtime.ts";

/** The messages between this process and a host, whatever carries them. */
export interface Link {
  readonly isOpen: boolean;
  /** What is sent to a process that has gone is lost. Throws for what has no form in JSON, or too long a one. */
  send(message: ToHost): void;
  /** Lets the other end know that nothing more will come. */
  close(): void;
  /** While held it keeps this process alive; released, it does not. */
  hold(): void;
  release(): void;
}

/** What is heard over a link. */
export interface LinkEvents {
  /** Something came, if only a part of a message. */
  heard(): void;
  /** May throw. */
  message(message: FromHost): void;
  /** What came could not be read. */
  broken(): void;
  /** Nothing more will come. */
  closed(): void;
}

/** Talks to a child process that was started with that link. */
export function openLink(child: ChildProcess, { carrier }: Runtime, on: LinkEvents): Link {
  return carrier === "pipe" ? pipeLink(child, on) : ipcLink(child, on);
}

/** Reads what comes, until something could not be read: that is told once, and nothing after it is looked at. */
function reader<T>(read: (came: T) => void, broken: () => void): { read(came: T): void; giveUp(): void } {
  let isBroken = false;
  const giveUp = (): void => {
    if (!isBroken) broken();
    isBroken = true;
  };
  return {
    read(came) {
      if (isBroken) return;
      try {
        read(came);
      } catch {
        giveUp();
      }
    },
    giveUp,
  };
}

function pipeLink(child: ChildProcess, on: LinkEvents): Link {
  const stream = child.stdio[3] as Socket;
  const { read, giveUp } = reader(
    (text: string) => on.message(JSON.parse(text) as FromHost),
    () => on.broken(),
  );
  const lines = new Lines(stream, { some: () => on.heard(), line: read, tooLong: giveUp });
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
    hold: () => void stream.ref(),
    // One that is over would only be made to wait for a connection.
    release: () => void (stream.destroyed || stream.unref()),
  };
}

/** Of Bun's processes only those can be talked to that are told of the channel as Node tells its own. */
function ipcLink(child: ChildProcess, on: LinkEvents): Link {
  const { read, giveUp } = reader(
    (message: FromHost) => {
      on.heard();
      on.message(message);
    },
    () => on.broken(),
  );
  guardReading(child, giveUp);
  child.on("message", read);
  child.on("disconnect", () => on.closed());
  return {
    get isOpen() {
      return child.connected;
    },
    send: (message) => void (child.connected && child.send(message, () => {})),
    close: () => void (child.connected && child.disconnect()),
    hold: () => void child.channel?.ref?.(),
    release: () => void child.channel?.unref?.(),
  };
}
