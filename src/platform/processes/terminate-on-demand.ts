import type { ChildProcess } from "node:child_process";
import { timerDelay } from "../waiting/max-delay.ts";
import { terminateOrphans, terminateTree } from "./terminate-tree.ts";
import type { ProcessExit } from "./wait-for-exit.ts";

/** The termination of a process on abort or time-out. */
interface Termination {
  readonly begun: boolean;
  readonly timedOut: boolean;
  /**
   * Resolves when termination takes longer than a cancelled call can wait. Termination then continues in the
   * background.
   */
  readonly overdue: Promise<ProcessExit>;
  /** Stops listening, and waits for a termination that has begun, at most until it is overdue. */
  finished(): Promise<void>;
}

/** The longest time from the abort to the result. */
const ANSWER_MS = 700;

/** Terminates the whole process tree on abort and on time-out. */
export function terminateOnDemand(
  child: ChildProcess,
  mark: string,
  { signal, timeoutMs }: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined },
): Termination {
  const { promise: overdue, resolve: giveUp } = Promise.withResolvers<ProcessExit>();
  let ended: Promise<void> | undefined;
  let timedOut = false;
  let answer: NodeJS.Timeout | undefined;
  let remains: Promise<void> | undefined;
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const onTimeout = (): void => {
    if (ended || hasExited()) return;
    ended = terminateTree(child, mark);
    timedOut = true;
  };
  const onAbort = (): void => {
    // A command that has succeeded keeps its exit code, and loses what it left in the background.
    if (hasExited()) remains ??= terminateOrphans(mark);
    else ended ??= terminateTree(child, mark);
    answer = setTimeout(() => giveUp(soFar(child)), ANSWER_MS);
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timerDelay(timeoutMs));
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    get begun() {
      return ended !== undefined;
    },
    get timedOut() {
      return timedOut;
    },
    overdue,
    async finished() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      await Promise.race([ended ?? remains, overdue]);
      clearTimeout(answer);
    },
  };
}

/** The exit as far as it is known. Closes the output streams. */
function soFar(child: ChildProcess): ProcessExit {
  child.stdout?.destroy();
  child.stderr?.destroy();
  const { exitCode: code, signalCode: signal } = child;
  return { code, signal, leftRunning: code !== null || signal !== null };
}
