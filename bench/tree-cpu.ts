import { readdirSync, readFileSync } from "node:fs";

/** The CPU time that this process and all below it have used so far, in ms. NaN where the system does not tell (only Linux does). */
export function treeCpuMs(root: number = process.pid): number {
  try {
    return tree(root).reduce((sum, pid) => sum + cpuMs(pid), 0);
  } catch {
    return Number.NaN;
  }
}

/** By thread, since only there the kernel counts in nanoseconds. Threads that have ended are not counted. */
function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ");
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

function tree(root: number): number[] {
  const parents = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? parentOf(name) : []));
  const found = new Set([root]);
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.add(child);
  return [...found];
}

/** The command in `stat` may hold spaces and brackets: what counts stands after its last bracket. */
function parentOf(pid: string): [pid: number, parent: number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]];
  } catch {
    return [];
  }
}
