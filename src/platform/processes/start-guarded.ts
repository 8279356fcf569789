import type { ChildProcess, ChildProcessWithoutNullStreams } from "node:child_process";
import { guardRun, guardTree } from "./process-guard.ts";
import { markOfRun, RUN_MARKER } from "./run-marker.ts";
import { terminateTree } from "./terminate-tree.ts";

/** A program that runs for as long as this process needs it. */
export interface GuardedProgram {
  readonly child: ChildProcess;
  /** The end of what it has written to standard error. */
  readonly lastErrors: string;
  /** Resolves when it has exited, or could not be started. */
  readonly exited: Promise<string>;
  /** Ends it and its descendants. Never rejects. */
  end(): Promise<void>;
}

const MAX_ERRORS = 4_096;
/** How long the rest of its output is waited for after its exit. */
const PIPES_MS = 1_000;

/**
 * Starts a program that does not outlive this process, even if this process is killed. It leads a process group of its own,
 * so Ctrl-C in the terminal does not reach it. Standard input and output are pipes.
 */
export function startGuarded(
  [command = "", ...args]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): GuardedProgram {
  const mark = markOfRun();
  const releaseRun = guardRun(mark);
  let child: ChildProcessWithoutNullStreams;
  try {
    child = process.getBuiltinModule("node:child_process").spawn(command, args, {
      cwd,
      env: { ...env, [RUN_MARKER]: mark },
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    releaseRun();
    throw error;
  }
  const releaseTree = child.pid === undefined ? undefined : guardTree(child.pid, mark);
  const release = (): void => {
    releaseRun();
    releaseTree?.();
  };
  let lastErrors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (lastErrors = `${lastErrors}${text}`.slice(-MAX_ERRORS)));
  for (const stream of child.stdio) stream?.on("error", () => {});
  const exited = new Promise<string>((resolve) => {
    const ended = (code: number | null, signal: NodeJS.Signals | null): void =>
      resolve(signal ? `was ended by ${signal}` : `has exited with code ${code}`);
    child.on("error", (error) => resolve(`cannot be started: ${error.message}`));
    child.once("close", ended);
    // A process that it has left behind may keep its pipes open.
    child.once("exit", (code, signal) => setTimeout(ended, PIPES_MS, code, signal).unref());
  });
  return {
    child,
    exited,
    get lastErrors() {
      return lastErrors.trim();
    },
    end: async () => {
      if (child.pid !== undefined) await terminateTree(child, mark).catch(() => {});
      release();
    },
  };
}
