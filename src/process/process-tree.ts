import { readdirSync, readFileSync } from "node:fs";

/** Ends a process that leads its own group, and everything it started, wherever that has moved to. */
export function killTree(pid: number): void {
  if (process.platform === "win32") {
    childProcess().spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true });
    return;
  }
  const descendants = descendantsOf(pid);
  killGroup(pid);
  for (const each of [pid, ...descendants]) kill(each);
}

/** Ends what is left of a process group whose leader has gone. What left the group on purpose stays. */
export function killGroup(leader: number): void {
  if (process.platform !== "win32") kill(-leader);
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

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has gone already.
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
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const parent = parentFromProc(name);
      return parent === undefined ? [] : [[Number(name), parent] as [number, number]];
    });
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
