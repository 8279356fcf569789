import { killTree } from "./process-tree.ts";

/** The run markers of processes, by pid. */
const trees = new Map<number, string>();
let listens = false;

/**
 * Kills the process group of `pid`, its descendants and the processes of the run marker when this process exits by itself: by
 * `process.exit`, an uncaught error or a second signal. The process must lead its group. See `process-guard.ts` for what ends
 * it otherwise.
 */
export function killAtExit(pid: number, mark: string): void {
  trees.set(pid, mark);
  if (listens) return;
  listens = true;
  process.on("exit", () => {
    for (const [tree, mark] of trees) killTree(tree, mark);
  });
}

/** Undoes `killAtExit`, for a process that has exited or will exit by itself. */
export function cancelKillAtExit(pid: number): void {
  trees.delete(pid);
}
