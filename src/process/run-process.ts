import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { messageOf } from "../core/error.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { killTree, signalEach, startedWith, treeOf } from "./process-tree.ts";

export interface ProcessOptions {
  readonly cwd: string;
  /** The whole environment; this process's own when left out. */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the process and everything it started. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** What it reads; without it there is nothing to read. */
  readonly input?: string | Uint8Array;
  /** How much of each stream is kept: beyond it the beginning and the end, and a line that says so. */
  readonly maxBytes?: number;
  /** Hears everything, also what is not kept. */
  onOutput?(text: string, stream: "stdout" | "stderr"): void;
}

/** How a process ended, and what it wrote. */
export interface ProcessResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when it did not end by itself. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether a signal ended it, ours (abort, time-out) or anybody's. Its `code` is then never 0. */
  readonly killed: boolean;
  readonly timedOut: boolean;
  /** Whether a stream was longer than what is kept of it. */
  readonly truncated: boolean;
  /** Whether something it had started went on holding its output: what came until shortly after its end was taken. */
  readonly leftRunning: boolean;
}

const MAX_BYTES = 10 * 1024 * 1024;
/** From SIGTERM to SIGKILL: less than the second that a cancelled call is given. */
const GRACE_MS = 500;
/** After the end of the process: how long nothing may come before its output counts as complete, and how long in all. */
const QUIET_MS = 100;
const LINGER_MS = 1_000;

/**
 * Runs a program without a shell and waits for its end. Rejects only when it cannot be started. It stays in the process
 * group of whoever calls, so that it cannot outlive that group's end.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  if (options.signal?.aborted) return NEVER_STARTED;
  const mark = crypto.randomUUID();
  const child = await start(command, args, options, mark);
  const stdout = new BoundedOutput(options.maxBytes ?? MAX_BYTES);
  const stderr = new BoundedOutput(options.maxBytes ?? MAX_BYTES);
  collect(child, "stdout", stdout, options);
  collect(child, "stderr", stderr, options);
  const ending = endOnDemand(child, mark, options);
  const { code, signal, leftRunning } = await ended(child);
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

const NEVER_STARTED: ProcessResult = {
  stdout: "",
  stderr: "",
  code: null,
  signal: "SIGTERM",
  killed: true,
  timedOut: false,
  truncated: false,
  leftRunning: false,
};

/** In the environment of the process and of all it starts: by it those are found whose parent has gone. */
const MARK = "TOOLWRIGHT_RUN";

function start(command: string, args: readonly string[], options: ProcessOptions, mark: string): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void => reject(cannotStart(command, options.cwd, error));
    try {
      const child = process.getBuiltinModule("node:child_process").spawn(command, [...args], {
        cwd: options.cwd,
        env: { ...(options.env ?? process.env), [MARK]: mark },
        stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        windowsHide: true,
      });
      child.once("error", refuse).once("spawn", () => resolve(child));
      // A program need not read what it is given.
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
  if (code === "EACCES") return "it is not a program that may be run. Check its permissions.";
  if (code === "E2BIG") return "its arguments are too long together.";
  return `${messageOf(cause)}.`;
}

function collect(
  child: ChildProcess,
  name: "stdout" | "stderr",
  output: BoundedOutput,
  { onOutput }: ProcessOptions,
): void {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  child[name]?.on("data", (chunk: Buffer) => {
    output.push(chunk);
    const text = onOutput ? decoder.decode(chunk, { stream: true }) : "";
    if (text !== "") onOutput?.(text, name);
  });
  child[name]?.on("error", () => {});
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly leftRunning: boolean;
}

/** When the process is gone and its output complete. Whatever it left running may hold the pipes open for ever. */
function ended(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let goneAt = 0;
    let exit: Omit<End, "leftRunning"> = { code: null, signal: null };
    const finish = (leftRunning: boolean): void => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ ...exit, leftRunning });
    };
    const wait = (): void => {
      if (goneAt === 0) return;
      clearTimeout(timer);
      const left = goneAt + LINGER_MS - performance.now();
      timer = setTimeout(finish, Math.max(0, Math.min(QUIET_MS, left)), true);
    };
    child.stdout?.on("data", wait);
    child.stderr?.on("data", wait);
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      goneAt = performance.now();
      wait();
    });
    child.once("close", () => finish(false));
  });
}

interface Ending {
  readonly begun: boolean;
  readonly timedOut: boolean;
  /** Stops watching, and waits until nothing of a tree that is being ended is left. Call it after the process's end. */
  finished(): Promise<void>;
}

/** On abort and on time-out: SIGTERM to the whole tree, and SIGKILL to what is left of it after the grace. */
function endOnDemand(child: ChildProcess, mark: string, { signal, timeoutMs }: ProcessOptions): Ending {
  const pid = child.pid as number;
  const known = (): number[] => [...new Set([...treeOf(pid), ...startedWith(`${MARK}=${mark}`)])];
  let tree: number[] | undefined;
  let timedOut = false;
  let killed: Promise<void> = Promise.resolve();
  const end = (): void => {
    if (tree || child.exitCode !== null || child.signalCode !== null) return;
    const found = known();
    tree = found;
    if (process.platform === "win32") return killTree(pid);
    signalEach(found, "SIGTERM");
    killed = new Promise((resolve) => setTimeout(resolve, GRACE_MS)).then(() => {
      // What has been orphaned meanwhile is known from before, what has been started meanwhile only now.
      signalEach([...new Set([...found.flatMap(treeOf), ...known()])], "SIGKILL");
    });
  };
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          if (tree) return;
          end();
          timedOut = tree !== undefined;
        }, timeoutMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  return {
    get begun() {
      return tree !== undefined;
    },
    get timedOut() {
      return timedOut;
    },
    async finished() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (tree && signalEach(tree, 0).length > 0) await killed;
    },
  };
}
