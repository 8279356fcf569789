import { fstatSync, writeSync } from "node:fs";
import { messageOf } from "../../../core/error.ts";
import { hasCode } from "../../../platform/files/error-code.ts";
import type { Environment } from "../../../settings/defaults.ts";
import { limitBuffering } from "./limit-buffering.ts";

/** stdout or stderr. */
export interface Output {
  readonly isTTY: boolean;
  /** Whether it is a terminal that cannot rewrite a line. */
  readonly isDumb?: boolean;
  /** The width at which lines are wrapped: of the terminal, or `COLUMNS`. Undefined for a pipe without `COLUMNS`. */
  readonly columns: number | undefined;
  readonly colour: boolean;
  /** Writes text that must not be lost. It is buffered until it is read. */
  write(text: string): void;
  /** Writes text that may be lost, such as progress. Buffers a bounded amount for a slow reader, and drops the rest. */
  report(text: string): void;
  readonly unread: number;
  /** Whether a write has failed, as when the reader of a pipe has ended. Further text is dropped. */
  readonly isClosed: boolean;
}

/** The streams and the environment of a command. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether stdin and stderr are a terminal, so that the user can answer questions. */
  readonly interactive: boolean;
}

/** The terminal of this process. Streams are created on first use, because creating one takes as long as a small command. */
export function processTerminal(): Terminal {
  const { env } = process;
  const stdout = outputOn(1, () => process.stdout, env);
  const stderr = outputOn(2, () => process.stderr, env);
  return {
    cwd: process.cwd(),
    env,
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    get interactive() {
      return stderr.isTTY && process.stdin.isTTY === true;
    },
  };
}

/** Ignores the error of a closed pipe, as with `| head`. */
function outputOn(descriptor: number, makeStream: () => NodeJS.WriteStream, env: Environment): Output {
  let gone = false;
  let made: NodeJS.WriteStream | undefined;
  let writeAll: (text: string | Uint8Array) => void = () => {};
  const fail = (error: unknown): void => {
    gone = true;
    if (descriptor === STDERR || hasCode(error, "EPIPE")) return;
    process.exitCode = 1;
    writeNow(STDERR, Buffer.from(`toolwright: The output could not be written: ${messageOf(error)}\n`));
  };
  const stream = (): NodeJS.WriteStream => {
    if (made) return made;
    made = makeStream().on("error", fail);
    writeAll = descriptor === STDERR && isPipe ? limitBuffering(made) : (text) => void made?.write(text);
    return made;
  };
  const { isDevice, isPipe } = kindOf(descriptor);
  const isTTY = isDevice && stream().isTTY === true;
  const write = (text: string): void => {
    if (gone) return;
    if (isDevice) stream();
    if (made) return writeAll(text);
    const { rest, error } = writeNow(descriptor, Buffer.from(text));
    if (error === undefined) return;
    if (!hasCode(error, "EAGAIN")) return fail(error);
    // The pipe is full and does not block: the stream buffers the rest.
    stream();
    writeAll(rest);
  };
  const isDumb = isTTY && env.TERM === "dumb";
  return {
    isTTY,
    isDumb,
    get columns() {
      return (isTTY && stream().columns) || columnsIn(env);
    },
    colour: isTTY && !env.NO_COLOR && !isDumb,
    write,
    report: (text) => {
      if (!isPipe) write(text);
      else if (!gone) stream().write(text);
    },
    get unread() {
      return made?.writableLength ?? 0;
    },
    get isClosed() {
      return gone;
    },
  };
}

const STDERR = 2;

function columnsIn({ COLUMNS: columns = "" }: Environment): number | undefined {
  return /^[1-9]\d{0,4}$/.test(columns) ? Number(columns) : undefined;
}

function writeNow(descriptor: number, bytes: Uint8Array): { rest: Uint8Array; error?: unknown } {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
    return { rest };
  } catch (error) {
    return { rest, error };
  }
}

function kindOf(descriptor: number): { isDevice: boolean; isPipe: boolean } {
  try {
    const stats = fstatSync(descriptor);
    return { isDevice: stats.isCharacterDevice(), isPipe: stats.isFIFO() || stats.isSocket() };
  } catch {
    return { isDevice: true, isPipe: false };
  }
}
