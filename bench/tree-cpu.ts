import { readdirSync, readFileSync } from "node:fs";

/** The CPU time of a process and its descendants so far, in ms. NaN on systems other than Linux. */
export function treeCpuMs(root: number = process.pid): number {
  try {
    return processTree(root).reduce((sum, pid) => sum + cpuMs(pid), 0);
  } catch {
    return Number.NaN;
  }
}

/** The CPU time of a process without its descendants so far, in ms. NaN on systems other than Linux. */
export function processCpuMs(pid: number): number {
  try {
    return cpuMs(pid);
  } catch {
    return Number.NaN;
  }
}

/** Sums the threads, because only their counters are in nanoseconds. Ended threads are missing. */
function cpuMs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ");
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}

/** A process and its descendants. Linux only. */
export function processTree(root: number): number[] {
  const parents = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? parentOf(name) : []));
  const found = new Set([root]);
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.add(child);
  return [...found];
}

/** The command in `stat` may contain spaces and brackets, so parsing starts after the last bracket. */
function parentOf(pid: string): [pid: number, parent: number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])]];
  } catch {
    return [];
  }
}
