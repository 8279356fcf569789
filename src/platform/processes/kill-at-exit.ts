import { killTree } from "./process-tree.ts";

const trees = new Set<number>();
let listens = false;

/**
 * Kills the process group of `pid` and its descendants when this process exits by itself: by `process.exit`, an
 * uncaught error or a second signal. The process must lead its group. See `process-guard.ts` for what ends it otherwise.
 */
export function killAtExit(pid: number): void {
  trees.add(pid);
  if (listens) return;
  listens = true;
  process.on("exit", () => {
    for (const tree of trees) killTree(tree);
  });
}

/** Undoes `killAtExit`, for a process that has exited or will exit by itself. */
export function cancelKillAtExit(pid: number): void {
  trees.delete(pid);
}
