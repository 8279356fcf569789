import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOrUndefined } from "../values/try-or-undefined.ts";
import { orphansOf, PS, readTable, withDescendants } from "./process-table.ts";

/** Kills a process that leads its own group, all its descendants, and the orphans with the run marker. */
export function killTree(pid: number, mark?: string): void {
  if (process.platform === "win32") {
    const taskkill = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
    childProcess().spawnSync(taskkill, ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  const table = readTable();
  const orphans = mark === undefined ? [] : orphansOf(mark, table);
  const tree = withDescendants([pid, ...orphans], table).map((each) => each.pid);
  killGroup(pid);
  signalEach(new Set([pid, ...tree]), "SIGKILL");
}

/** A process may start another one right before it is killed. */
const MAX_KILLS = 5;

/** Kills the processes of a run marker whose first process has exited. */
export function killOrphans(mark: string): void {
  for (let round = 0; round < MAX_KILLS; round++) {
    const table = readTable();
    const tree = withDescendants(orphansOf(mark, table), table).map((each) => each.pid);
    if (signalEach(tree, "SIGKILL").length === 0) return;
  }
}

/** Sends a signal to each process, and returns those that still existed. */
export function signalEach(pids: Iterable<number>, signal: NodeJS.Signals): number[] {
  return [...pids].filter((pid) => kill(pid, signal));
}

/** Kills the rest of a process group whose leader has exited. Processes that left the group stay. */
export function killGroup(leader: number): void {
  if (process.platform !== "win32") kill(-leader, "SIGKILL");
}

/** Whether reading resident memory is cheap; elsewhere it takes another process. */
export const MEMORY_CHECK_IS_CHEAP: boolean = process.platform === "linux";

/** Resident memory in bytes. Undefined if it cannot be read. */
export function residentBytes(pid: number): number | undefined {
  try {
    if (process.platform === "linux") return residentOnLinux(pid);
    if (process.platform === "win32") return undefined;
    return Number(childProcess().execFileSync(PS, ["-o", "rss=", "-p", String(pid)], { encoding: "latin1" })) * 1024;
  } catch {
    return undefined;
  }
}

/** Not from `statm`, which counts pages: their size differs between machines. A process that has exited has no entry. */
function residentOnLinux(pid: number): number | undefined {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** The processor time of a process so far, and whether its main thread runs or waits for a processor. */
export interface ProcessorUse {
  readonly ms: number;
  readonly isRunnable: boolean;
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Undefined if it cannot be read cheaply. */
export function processorUse(pid: number): ProcessorUse | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before it may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { ms: (Number(fields[11]) + Number(fields[12])) * TICK_MS, isRunnable: fields[0] === "R" };
  } catch {
    return undefined;
  }
}

/** Loaded on demand: most processes of Toolwright start no child process. */
function childProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}

/** False when the process has already exited. */
function kill(pid: number, signal: NodeJS.Signals): boolean {
  return tryOrUndefined(() => process.kill(pid, signal)) ?? false;
}
