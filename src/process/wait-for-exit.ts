import type { ChildProcess } from "node:child_process";

/** How a process ended: neither code nor signal is known while it has not. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly leftRunning: boolean;
}

/** After the end of the process: how long nothing may come before its output counts as complete, and how long in all. */
const QUIET_MS = 100;
const LINGER_MS = 1_000;

/** When the process is gone and its output complete. Whatever it left running may hold the pipes open for ever. */
export function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let look: NodeJS.Immediate | undefined;
    let goneAt = 0;
    let exit: Omit<ProcessExit, "leftRunning"> = { code: null, signal: null };
    const stop = (): void => {
      clearTimeout(timer);
      clearImmediate(look);
    };
    const finish = (leftRunning: boolean): void => {
      stop();
      for (const stream of streams) stream.destroy();
      resolve({ ...exit, leftRunning });
    };
    // Where we ourselves were held up, timers come first: what has come meanwhile is read before they count.
    const lookOnce = (): void => {
      look = setImmediate(() => finish(streams.some(({ readableEnded }) => !readableEnded)));
    };
    const wait = (): void => {
      const left = goneAt + LINGER_MS - performance.now();
      if (goneAt === 0 || left <= 0) return;
      stop();
      timer = setTimeout(lookOnce, Math.min(QUIET_MS, left));
    };
    for (const stream of streams) stream.on("data", wait);
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      goneAt = performance.now();
      wait();
    });
    child.once("close", () => finish(false));
  });
}
