import type { ChildProcess } from "node:child_process";

/** How a process exited. Both `code` and `signal` are null while it runs. */
export interface ProcessExit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether a process that it started still holds its output open. Output is collected until shortly after the exit. */
  readonly leftRunning: boolean;
}

/** After the exit, output is complete when none has come for QUIET_MS, and after LINGER_MS in any case. */
const QUIET_MS = 100;
const LINGER_MS = 1_000;

/**
 * Resolves when the process has exited and its output is complete. Processes that it left running may hold the pipes
 * open forever.
 */
export function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let immediate: NodeJS.Immediate | undefined;
    let exitedAt = 0;
    let exit: Omit<ProcessExit, "leftRunning"> = { code: null, signal: null };
    const stop = (): void => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
    const finish = (leftRunning: boolean): void => {
      stop();
      for (const stream of streams) stream.destroy();
      resolve({ ...exit, leftRunning });
    };
    // If this process was blocked, timers run before pending output is read: read it first.
    const finishAfterReads = (): void => {
      immediate = setImmediate(() => finish(streams.some(({ readableEnded }) => !readableEnded)));
    };
    const wait = (): void => {
      const left = exitedAt + LINGER_MS - performance.now();
      if (exitedAt === 0 || left <= 0) return;
      stop();
      timer = setTimeout(finishAfterReads, Math.min(QUIET_MS, left));
    };
    for (const stream of streams) stream.on("data", wait);
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      exitedAt = performance.now();
      wait();
    });
    child.once("close", () => finish(false));
  });
}
