import { fstatSync, writeSync } from "node:fs";
import type { Environment } from "../../config/options.ts";

/** Where text goes: the answer to one of these, everything else to the other. */
export interface Output {
  readonly isTTY: boolean;
  /** Undefined where nothing has to be cut. */
  readonly columns: number | undefined;
  readonly colour: boolean;
  write(text: string): void;
}

/** What a command sees of the process it runs in. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether a question can be put to somebody, and answered. */
  readonly interactive: boolean;
}

/** The terminal of this process. Streams are made when they are needed: making one costs as much as a small command. */
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

/** A reader that has gone away (`| head`) is no error: what it did not want is dropped. */
function outputOn(descriptor: number, makeStream: () => NodeJS.WriteStream, env: Environment): Output {
  let gone = false;
  let made: NodeJS.WriteStream | undefined;
  const fail = (error: unknown): void => {
    gone = true;
    if (!hasCode(error, "EPIPE")) process.exitCode = 1;
  };
  const stream = (): NodeJS.WriteStream => {
    made ??= makeStream().on("error", fail);
    return made;
  };
  const isDevice = isCharacterDevice(descriptor);
  const isTTY = isDevice && stream().isTTY === true;
  return {
    isTTY,
    get columns() {
      return isTTY ? stream().columns : undefined;
    },
    colour: isTTY && !env.NO_COLOR && env.TERM !== "dumb",
    write: (text) => {
      if (gone) return;
      if (isDevice || made) return void stream().write(text);
      const { rest, error } = writeNow(descriptor, Buffer.from(text));
      if (error === undefined) return;
      // A full pipe that does not block: the stream waits for its reader.
      if (hasCode(error, "EAGAIN")) stream().write(rest);
      else fail(error);
    },
  };
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

function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return true;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
