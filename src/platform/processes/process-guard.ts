import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { parse } from "node:path";
import { packageFile } from "../files/package-files.ts";
import { startTimeOf } from "./process-table.ts";
import { RUN_MARKER } from "./run-marker.ts";

// Three mechanisms end processes that must not outlive this one. Each covers a case that the others do not:
// - `killAtExit` (kill-at-exit.ts): this process exits by itself while a host works. It kills at once.
// - The host itself: this process has ended, in whatever way. Its main thread notices that the connection is closed; a thread
//   (`endWithParent` in host/process/child.ts) notices it if a tool blocks the main thread. Both start a guard process if tools have
//   left processes outside of the process group. A guard process that always runs would cost every server another process.
// - The guard process (guard-process.ts) of this process: programs of agents, hooks and retired hosts have no host that ends them,
//   and nothing else removes temporary folders.
// All find processes by descent and by run marker (run-marker.ts). None finds a process that has moved to another parent with an
// environment without the marker, and none is left if a process and its guard are killed at the same time.

/** What the guard removes when this process has ended, in whatever way. */
export type Guarded =
  /** A process and its descendants. `mark` is the run marker in their environment, if they have one. */
  | { readonly pid: number; readonly startTime?: string | undefined; readonly mark?: string | undefined }
  /** The processes with this run marker, also if they start later. */
  | { readonly mark: string }
  /** A temporary folder. */
  | { readonly folder: string };

/** A line to the guard process. */
export type GuardMessage = { readonly id: number; readonly add?: Guarded };

/**
 * Ends a process and its descendants after this process has ended, also by SIGKILL. Returns a function that undoes this,
 * for a process that has exited. Never throws.
 */
export function guardTree(pid: number, mark?: string): () => void {
  return guard({ pid, startTime: startTimeOf(pid), mark });
}

/**
 * Like `guardTree`, for the processes with a run marker, also those that start later. It finds them once their parent has exited.
 */
export function guardRun(mark: string): () => void {
  return guard({ mark });
}

/** Removes a folder after this process has ended, also by SIGKILL. Returns a function that undoes this. Never throws. */
export function guardFolder(folder: string): () => void {
  return guard({ folder });
}

/** The guard process ends this long after nothing is left to guard. */
const LINGER_MS = 5_000;
/** Someone may kill the guard process. Another one is started, but not forever. */
const MAX_STARTS = 5;

const guarded = new Map<number, Guarded>();
let lastID = 0;
let running: ChildProcess | undefined;
let failures = 0;
let linger: NodeJS.Timeout | undefined;

function guard(what: Guarded): () => void {
  const id = ++lastID;
  guarded.set(id, what);
  clearTimeout(linger);
  if (running) send({ id, add: what });
  else start();
  return () => {
    if (!guarded.delete(id)) return;
    send({ id });
    if (guarded.size === 0) linger = setTimeout(end, LINGER_MS).unref();
  };
}

/** The pipe keeps what is written to it, so the guard process also gets the last message of a process that was killed. */
function send(message: GuardMessage): void {
  running?.stdin?.write(`${JSON.stringify(message)}\n`);
}

/** Ends the processes with this run marker from a guard process, since this process is about to end. */
export function endRunFromOutside(mark: string): void {
  spawnGuard([{ id: 1, add: { mark } }], "ignore")?.unref();
}

function start(): void {
  if (failures === MAX_STARTS) return;
  const messages = [...guarded].map(([id, add]): GuardMessage => ({ id, add }));
  const child = spawnGuard(messages, "pipe");
  if (!child) return;
  running = child;
  const ended = (): void => {
    if (running !== child) return;
    running = undefined;
    failures++;
    if (guarded.size > 0) start();
  };
  child.once("error", ended).once("exit", ended);
  child.stdin?.on("error", () => {});
  child.unref();
  (child.stdin as Partial<Socket> | null)?.unref?.();
}

function end(): void {
  const child = running;
  running = undefined;
  child?.stdin?.end();
}

/**
 * In a process group and session of its own: Ctrl-C and the end of the terminal do not reach it. The first messages are an
 * argument, since Bun writes to pipes with a delay.
 */
function spawnGuard(messages: readonly GuardMessage[], stdin: "pipe" | "ignore"): ChildProcess | undefined {
  // Without the run marker: a guard process that a host starts must not end itself.
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, [RUN_MARKER]: _mark, ...env } = process.env;
  try {
    return process
      .getBuiltinModule("node:child_process")
      .spawn(process.execPath, [...guardCommand(), JSON.stringify(messages)], {
        cwd: parse(process.execPath).root,
        env: process.versions.electron === undefined ? env : { ...env, ELECTRON_RUN_AS_NODE: "1" },
        stdio: [stdin, "ignore", "ignore"],
        detached: true,
        windowsHide: true,
      });
  } catch {
    return undefined;
  }
}

/** The arguments that make the program of this process a guard process, without the messages. */
export function guardCommand(): readonly string[] {
  const flags = process.versions.bun === undefined ? ["--disable-warning=ExperimentalWarning"] : ["--no-install"];
  return [...flags, packageFile("guard-process")];
}
