import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Sample } from "./harness.ts";

export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Timed {
  readonly sample: Sample;
  readonly stdout: string;
}

/**
 * Node does not report the CPU time of grandchildren; the shell's `time` does. The measured process gets its own stdout
 * and stderr, and the times go to file descriptor 3.
 */
const TIMED = 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&4 3>&- 4>&-; } 4>&2 2>&3';

/** Runs Node and measures wall time and CPU time, including child processes. Rejects if the exit code is not 0. */
export async function timeNode(args: readonly string[], options: ChildOptions): Promise<Timed> {
  const startedAt = performance.now();
  const child = spawn("/bin/bash", ["-c", TIMED, "bash", process.execPath, ...args], {
    ...options,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const read = (descriptor: number): Promise<string> => text(child.stdio[descriptor] as Readable);
  const [stdout, stderr, times] = await Promise.all([read(1), read(2), read(3)]);
  const [code] = await ended;
  const wall = performance.now() - startedAt;
  if (code !== 0) throw new Error(`node ${args.join(" ")} ended with ${code}: ${stderr || stdout}`);
  return { sample: { wall, cpu: cpuOf(times) }, stdout };
}

/** The sum of user and system seconds, as the shell prints them, in ms. */
export function cpuOf(times: string): number {
  const [user, system] = times.trim().split(/\s+/).map(Number);
  return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1000;
}
