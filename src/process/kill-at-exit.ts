import { killTree } from "./process-tree.ts";

const trees = new Set<number>();
let listens = false;

/**
 * Whatever makes this process exit by itself, a second signal, `process.exit` or an error that nobody catches, that one
 * and all it has started are ended first. It leads its own group.
 */
export function killAtExit(pid: number): void {
  trees.add(pid);
  if (listens) return;
  listens = true;
  process.on("exit", () => {
    for (const tree of trees) killTree(tree);
  });
}

/** From now on that one is left alone: it has gone, or will go without being told. */
export function cancelKillAtExit(pid: number): void {
  trees.delete(pid);
}
