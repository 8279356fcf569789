import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { messageOf } from "../../core/error.ts";
import { untilAborted } from "../waiting/until-aborted.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { MEMORY_CHECK_IS_CHEAP, residentBytes } from "./process-tree.ts";
import { markOfRun, RUN_MARKER } from "./run-marker.ts";
import { terminateOnDemand } from "./terminate-on-demand.ts";
import { type ProcessExit, waitForExit } from "./wait-for-exit.ts";

export interface ProcessOptions {
  readonly cwd: string;
  /** The whole environment. By default, this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Ends the process and its descendants. The call then returns within a second, even if they do not exit.
   */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Its standard input; empty by default. */
  readonly input?: string | Uint8Array;
  /** A file descriptor to use as standard input instead. */
  readonly stdin?: number;
  /** The limit of each stream in the result. Of a longer one, the beginning and the end are kept. */
  readonly maxBytes?: number;
  /** Kills the process when it uses more memory, on systems where that is cheap to read. */
  readonly memoryMb?: number;
  /** Receives all output, including output beyond `maxBytes`. */
  onOutput?(text: string, stream: "stdout" | "stderr"): void;
}

/** How a process ended, and what it wrote. */
export interface ProcessResult extends ProcessExit {
  readonly stdout: string;
  readonly stderr: string;
  /** Whether any signal ended it, including abort and time-out. Its `code` is then never 0. */
  readonly killed: boolean;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Runs a program without a shell and waits for its exit. Rejects only when it cannot be started. The program stays in
 * the process group of this process.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  await (options.signal ? untilAborted(options.signal, startTurn) : startTurn());
  if (options.signal?.aborted) return NOT_STARTED;
  const mark = markOfRun();
  const child = await start(command, args, options, mark);
  const stdout = new BoundedOutput(options.maxBytes ?? MAX_BYTES);
  const stderr = new BoundedOutput(options.maxBytes ?? MAX_BYTES);
  collect(child, "stdout", stdout, options);
  collect(child, "stderr", stderr, options);
  const memory = watchMemory(child, options.memoryMb);
  const ending = terminateOnDemand(child, mark, options);
  const { code, signal, leftRunning } = await Promise.race([waitForExit(child), ending.overdue]);
  clearInterval(memory);
  await ending.finished();
  const killed = signal !== null || ending.begun;
  return {
    stdout: stdout.text(),
    stderr: stderr.text(),
    code: killed && code === 0 ? null : code,
    signal: signal ?? (ending.begun ? "SIGTERM" : null),
    killed,
    timedOut: ending.timedOut,
    truncated: stdout.truncated || stderr.truncated,
    leftRunning: leftRunning && !ending.begun,
  };
}

const WATCH_MS = 200;

function watchMemory(child: ChildProcess, memoryMb: number | undefined): NodeJS.Timeout | undefined {
  if (memoryMb === undefined || !MEMORY_CHECK_IS_CHEAP) return undefined;
  return setInterval(() => {
    const bytes = child.pid === undefined ? undefined : residentBytes(child.pid);
    if (bytes !== undefined && bytes > memoryMb * 1024 * 1024) child.kill("SIGKILL");
  }, WATCH_MS);
}

let lastTurn: Promise<void> = Promise.resolve();

/** Starting a process takes milliseconds, so at most one is started per turn of the event loop. */
function startTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}

const NOT_STARTED: ProcessResult = {
  stdout: "",
  stderr: "",
  code: null,
  signal: "SIGTERM",
  killed: true,
  timedOut: false,
  truncated: false,
  leftRunning: false,
};

function start(command: string, args: readonly string[], options: ProcessOptions, mark: string): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => reject(cannotStart(command, options.cwd, error));
    try {
      const child = process.getBuiltinModule("node:child_process").spawn(command, [...args], {
        cwd: options.cwd,
        env: { ...(options.env ?? process.env), [RUN_MARKER]: mark },
        stdio: [options.stdin ?? (options.input === undefined ? "ignore" : "pipe"), "pipe", "pipe"],
        windowsHide: true,
      });
      child.once("error", refuse).once("spawn", () => resolve(child));
      // A program may exit without reading its input.
      child.stdin?.on("error", () => {}).end(options.input);
    } catch (error) {
      refuse(error);
    }
  });
}

function cannotStart(command: string, cwd: string, cause: unknown): Error {
  const { code } = cause as { code?: unknown };
  return new Error(`"${command}" cannot be started: ${reasonOf(code, cwd, cause)}`, { cause });
}

function reasonOf(code: unknown, cwd: string, cause: unknown): string {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist.`;
  if (code === "ENOENT") return "it is not installed or not on PATH.";
  if (code === "ENOTDIR") return `${cwd} is not a folder.`;
  if (code === "EACCES") return "it is not executable. Check its permissions.";
  if (code === "E2BIG") return "its arguments are too long.";
  return `${messageOf(cause)}.`;
}

function collect(
  child: ChildProcess,
  name: "stdout" | "stderr",
  output: BoundedOutput,
  { onOutput }: ProcessOptions,
): void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const emit = (text: string): void => {
    if (text !== "") onOutput?.(text, name);
  };
  child[name]?.on("data", (chunk: Buffer) => {
    output.push(chunk);
    if (onOutput) emit(decoder.decode(chunk, { stream: true }));
  });
  // The output may end within a character.
  child[name]?.on("end", () => emit(decoder.decode()));
  child[name]?.on("error", () => {});
}
