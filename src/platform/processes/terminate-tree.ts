import type { ChildProcess } from "node:child_process";
import { orphansOf, type Process, sharedTable, stillRuns, withDescendants } from "./process-table.ts";
import { killTree, signalEach } from "./process-tree.ts";

/** From SIGTERM to SIGKILL: shorter than the second within which a cancelled call must return. */
const GRACE_MS = 400;
const POLL_MS = 20;
/** A process may start another one right before it is killed. */
const MAX_KILLS = 5;

/** The first process of a tree. */
type Leader = Pick<ChildProcess, "exitCode" | "signalCode"> & { readonly pid?: number | undefined };

/**
 * Ends a process and its descendants: SIGTERM, then SIGKILL after the grace period. Resolves when none is left. The run
 * marker finds descendants whose parent has exited.
 */
export async function terminateTree(child: Leader, mark: string | undefined): Promise<void> {
  if (process.platform === "win32") return child.pid === undefined ? undefined : killTree(child.pid);
  let known: readonly Process[] = [];
  const signal = async (name: NodeJS.Signals): Promise<boolean> => {
    const table = await sharedTable();
    const leader = leaderOf(child);
    const orphans = mark === undefined ? [] : orphansOf(mark, table);
    known = withDescendants([...leader, ...pidsOf(known.filter(stillRuns)), ...orphans], table);
    return signalEach(new Set([...leader, ...pidsOf(known.filter(stillRuns))]), name).length > 0;
  };
  await signal("SIGTERM");
  await untilGone(known, GRACE_MS);
  for (let round = 0; round < MAX_KILLS && (await signal("SIGKILL")); round++) await sleep(POLL_MS);
}

/** Ends the processes of a run marker whose first process has exited, as `terminateTree` does. */
export async function terminateOrphans(mark: string): Promise<void> {
  if (orphansOf(mark, await sharedTable()).length > 0) await terminateTree(EXITED, mark);
}

const EXITED: Leader = { exitCode: 0, signalCode: null };

/** Waits for one process after another. */
async function untilGone(processes: readonly Process[], ms: number): Promise<void> {
  const until = performance.now() + ms;
  for (const each of processes) {
    while (stillRuns(each)) {
      if (performance.now() > until) return;
      await sleep(POLL_MS);
    }
  }
}

/** Empty after the exit: another process may have the same pid by then. */
function leaderOf({ pid, exitCode, signalCode }: Leader): number[] {
  return pid === undefined || exitCode !== null || signalCode !== null ? [] : [pid];
}

function pidsOf(processes: readonly Process[]): number[] {
  return processes.map(({ pid }) => pid);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
