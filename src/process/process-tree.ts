import { readdirSync, readFileSync } from "node:fs";

/** Ends a process that leads its own group, and everything it started, wherever that has moved to. */
export function killTree(pid: number): void {
  if (process.platform === "win32") {
    childProcess().spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  const tree = treeOf(pid);
  killGroup(pid);
  signalEach(tree, "SIGKILL");
}

/** A process and everything it has started, wherever that has moved to. On Windows only itself is known. */
export function treeOf(pid: number): number[] {
  return process.platform === "win32" ? [pid] : [pid, ...descendantsOf(pid)];
}

/** The processes that were started with that setting (`NAME=value`) in their environment. Only Linux tells. */
export function startedWith(setting: string): number[] {
  if (process.platform !== "linux") return [];
  return pidsFromProc()
    .filter((pid) => environmentOf(pid).includes(setting))
    .map(Number);
}

/** Sends a signal to each of them, and says which were still there. The signal 0 only asks. */
export function signalEach(pids: readonly number[], signal: NodeJS.Signals | 0): number[] {
  return pids.filter((pid) => kill(pid, signal));
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
    return Number(childProcess().execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "latin1" })) * 1024;
  } catch {
    return undefined;
  }
}

/** Not imported at the top: whoever starts no process must not pay for it. */
function childProcess(): typeof import("node:child_process") {
  return process.getBuiltinModule("node:child_process");
}

/** False when it has gone already. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function descendantsOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of parents()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const found = new Set<number>(children.get(root));
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found];
}

function parents(): [pid: number, parent: number][] {
  try {
    return process.platform === "linux" ? parentsFromProc() : parentsFromPs();
  } catch {
    return [];
  }
}

function parentsFromProc(): [number, number][] {
  return pidsFromProc().flatMap((name) => {
    const parent = parentFromProc(name);
    return parent === undefined ? [] : [[Number(name), parent] as [number, number]];
  });
}

function pidsFromProc(): string[] {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

/** Empty for a process of somebody else, and for one that is gone. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** The command in `stat` may hold spaces and brackets: what counts stands after its last bracket. */
function parentFromProc(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function parentsFromPs(): [number, number][] {
  const listing = childProcess().execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "latin1" });
  return listing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
}
