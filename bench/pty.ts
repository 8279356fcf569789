import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { shellWord } from "../src/platform/text/shell-word.ts";
import { processTree } from "./tree-cpu.ts";

export interface PtyOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
  readonly rows: number;
}

/** A program in a pseudo-terminal of `script`. This process is the terminal: it reads everything at once and draws nothing. */
export interface Pty {
  /** The process id of the program. */
  readonly pid: number;
  /** The number of bytes that the program has written. */
  readonly written: number;
  write(text: string): void;
  /** Resolves when the program writes this text after the call. */
  shows(text: string, timeoutMs?: number): Promise<void>;
  /** Resolves when the program has written nothing for this time. */
  quiet(ms: number): Promise<void>;
  /** Ends the program. */
  close(): Promise<void>;
}

/** Starts a program in a pseudo-terminal. Linux only: `script` of util-linux. */
export async function startPty({ command, cwd, env, columns, rows }: PtyOptions): Promise<Pty> {
  const line = `stty cols ${columns} rows ${rows}; exec ${command.map((word) => shellWord(word)).join(" ")}`;
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn("script", ["-qfec", line, "/dev/null"], {
    cwd,
    env: { TERM: "xterm-256color", LANG: "C.UTF-8", SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const decoder = new StringDecoder("utf8");
  const waiting = new Set<{ readonly text: string; tail: string; readonly found: () => void }>();
  let written = 0;
  let last = performance.now();
  child.stdout.on("data", (data: Buffer) => {
    written += data.length;
    last = performance.now();
    const text = decoder.write(data);
    for (const each of waiting) {
      if ((each.tail + text).includes(each.text)) {
        waiting.delete(each);
        each.found();
      }
      each.tail = (each.tail + text).slice(-each.text.length);
    }
  });
  const shows = (text: string, timeoutMs = 60_000): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The program did not show ${JSON.stringify(text)}.`)), timeoutMs);
      const found = (): void => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add({ text, tail: "", found });
    });
  await once(child, "spawn");
  return {
    get pid() {
      const [, pid] = processTree(child.pid as number);
      if (pid === undefined) throw new Error("The program has ended.");
      return pid;
    },
    get written() {
      return written;
    },
    write: (text) => void child.stdin.write(text),
    shows,
    quiet: async (ms) => {
      while (performance.now() - last < ms) await sleep(20);
    },
    close: async () => {
      const ended = once(child, "close");
      const [, pid] = processTree(child.pid as number);
      if (pid !== undefined) process.kill(pid, "SIGTERM");
      await ended;
    },
  };
}
