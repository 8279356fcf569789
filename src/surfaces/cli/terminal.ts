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

/** The terminal of this process. A reader that has gone away (`| head`) is no error: the rest is dropped. */
export function processTerminal(): Terminal {
  const { env } = process;
  const stdout = outputOn(process.stdout, env);
  const stderr = outputOn(process.stderr, env);
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

function outputOn(stream: NodeJS.WriteStream, env: Environment): Output {
  let gone = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    gone = true;
    if (error.code !== "EPIPE") process.exitCode = 1;
  });
  const isTTY = stream.isTTY === true;
  return {
    isTTY,
    get columns() {
      return isTTY ? stream.columns : undefined;
    },
    colour: isTTY && !env.NO_COLOR && env.TERM !== "dumb",
    write: (text) => {
      if (!gone) stream.write(text);
    },
  };
}
