import type { ChildProcess } from "node:child_process";
import { terminateTree } from "./terminate-tree.ts";
import type { ProcessExit } from "./wait-for-exit.ts";

/** Watches over a process that may have to be ended. */
export interface Termination {
  readonly begun: boolean;
  readonly timedOut: boolean;
  /** Where it takes longer than a cancelled call can wait: what is known then. The rest is ended all the same. */
  readonly overdue: Promise<ProcessExit>;
  /** Stops watching, and waits until nothing of a tree that is being ended is left, or it is overdue. */
  finished(): Promise<void>;
}

/** From the abort to the answer, at most: on a machine that is busy even a kill takes its time. */
const ANSWER_MS = 700;

/** On abort and on time-out: the end of the whole tree. */
export function terminateOnDemand(
  child: ChildProcess,
  mark: string,
  { signal, timeoutMs }: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined },
): Termination {
  const { promise: overdue, resolve: giveUp } = Promise.withResolvers<ProcessExit>();
  let ended: Promise<void> | undefined;
  let timedOut = false;
  let answer: NodeJS.Timeout | undefined;
  const end = (): void => {
    if (child.exitCode === null && child.signalCode === null) ended ??= terminateTree(child, mark);
  };
  const onTimeout = (): void => {
    if (ended) return;
    end();
    timedOut = ended !== undefined;
  };
  const onAbort = (): void => {
    end();
    answer = setTimeout(() => giveUp(soFar(child)), ANSWER_MS);
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
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
      await Promise.race([ended, overdue]);
      clearTimeout(answer);
    },
  };
}

/** Nobody listens to it any more. */
function soFar(child: ChildProcess): ProcessExit {
  child.stdout?.destroy();
  child.stderr?.destroy();
  const { exitCode: code, signalCode: signal } = child;
  return { code, signal, leftRunning: code !== null || signal !== null };
}
