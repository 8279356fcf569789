import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { parse } from "node:path";
import { packageFile } from "../files/package-files.ts";
import { startTimeOf } from "./process-table.ts";

// Three mechanisms end processes that must not outlive this one. Each covers a case that the others do not:
// - `killAtExit` (kill-at-exit.ts): this process exits by itself while a host works. It kills at once, and also processes that a tool
//   has started in other process groups.
// - A thread in each host (`endWithParent` in host/process/child.ts): this process is killed, and the main thread of the host is blocked, so
//   that it does not notice that its connection is closed. A guard process here would cost every server another process.
// - The guard process (guard-process.ts): this process is killed. Programs of others (agents, their servers) run no code of ours,
//   and nothing else removes their temporary folders.

/** What the guard removes when this process has ended, in whatever way. */
export type Guarded =
  /** A process and its descendants. `mark` is the run marker in their environment, if they have one. */
  | { readonly pid: number; readonly startTime?: string | undefined; readonly mark?: string | undefined }
  /** The processes with this run marker, of which the first may not be started yet. */
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
 * Like `guardTree`, for a process that is about to be started with this run marker: this process may be killed before it can
 * name the process. Linux only.
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

function start(): void {
  if (failures === MAX_STARTS) return;
  const child = spawnGuard();
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
function spawnGuard(): ChildProcess | undefined {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
  const messages = [...guarded].map(([id, add]): GuardMessage => ({ id, add }));
  const flags = process.versions.bun === undefined ? ["--disable-warning=ExperimentalWarning"] : ["--no-install"];
  try {
    return process
      .getBuiltinModule("node:child_process")
      .spawn(process.execPath, [...flags, packageFile("guard-process"), JSON.stringify(messages)], {
        cwd: parse(process.execPath).root,
        env: process.versions.electron === undefined ? env : { ...env, ELECTRON_RUN_AS_NODE: "1" },
        stdio: ["pipe", "ignore", "ignore"],
        detached: true,
        windowsHide: true,
      });
  } catch {
    return undefined;
  }
}
