import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orphansOf, PS, readTable, withDescendants } from "./process-table.ts";

/** Ends a process that leads its own group, and everything it started, wherever that has moved to. */
export function killTree(pid: number): void {
  if (process.platform === "win32") {
    const taskkill = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
    childProcess().spawnSync(taskkill, ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  const table = readTable();
  const tree = withDescendants([pid, ...orphansOf(`${pid}.`, table)], table).map((each) => each.pid);
  killGroup(pid);
  signalEach(new Set([pid, ...tree]), "SIGKILL");
}

/** Ends what is left of a process that led its own group and has gone: its group, and the runs that it had begun. */
export function killRemains(pid: number): void {
  killGroup(pid);
  if (process.platform !== "linux") return;
  const table = readTable();
  const runs = withDescendants(orphansOf(`${pid}.`, table), table).map((each) => each.pid);
  signalEach(runs, "SIGKILL");
}

/** Sends a signal to each of them, and says which were still there. */
export function signalEach(pids: Iterable<number>, signal: NodeJS.Signals): number[] {
  return [...pids].filter((pid) => kill(pid, signal));
}

/** Ends what is left of a process group whose leader has gone. What left the group on purpose stays. */
export function killGroup(leader: number): void {
  if (process.platform !== "win32") kill(-leader, "SIGKILL");
}

/** Whether asking for resident memory costs next to nothing; elsewhere it takes a process of its own. */
export const CHEAP_TO_WATCH: boolean = process.platform === "linux";

/** Resident memory in bytes, seen from outside; undefined where the system does not say. */
export function residentBytes(pid: number): number | undefined {
  try {
    if (process.platform === "linux") return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096;
    if (process.platform === "win32") return undefined;
    return Number(childProcess().execFileSync(PS, ["-o", "rss=", "-p", String(pid)], { encoding: "latin1" })) * 1024;
  } catch {
    return undefined;
  }
}

/** Not imported at the top: whoever starts no process must not pay for it. */
function childProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}

/** False when it has gone already. */
function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
