import { readdirSync, readFileSync } from "node:fs";

/** One process that runs. `startTime` tells it from a later one that has got the same number. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly startTime: string;
}

/** The processes there are at one moment, by number; those that only wait to be buried are left out. */
export type ProcessTable = ReadonlyMap<number, Process>;

/** Windows is not asked: there the table is empty, and the system itself ends trees. */
export function readTable(): ProcessTable {
  try {
    const rows =
      process.platform === "win32" ? [] : process.platform === "linux" ? processesFromProc() : processesFromPs();
    return new Map(rows.map((row) => [row.pid, row]));
  } catch {
    return new Map();
  }
}

/** Whether it still runs, asked of it alone. */
export function stillRuns({ pid, startTime }: Process): boolean {
  if (process.platform === "linux") return processFromProc(String(pid))[0]?.startTime === startTime;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** When a process was started, in words that tell it from a later one of the same number; undefined where nothing tells. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === "linux" ? processFromProc(String(pid))[0]?.startTime : undefined;
}

/** These and all that they have started, as far as it is still there. */
export function withDescendants(roots: readonly number[], table: ProcessTable): Process[] {
  const children = new Map<number, number[]>();
  for (const { pid, parent } of table.values()) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(pid);
    else children.set(parent, [pid]);
  }
  const found = new Set(roots);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return [...found].flatMap((pid) => table.get(pid) ?? []);
}

/** In the environment of whatever a run starts: the number of the process that began the run, and the run's own name. */
export const RUN_MARKER = "TOOLWRIGHT_RUN";

/** Processes of a run, or of all runs that a process began, whose parent has gone: their mark begins so. */
export function orphansOf(mark: string, table: ProcessTable): number[] {
  const marks = marksOfOrphans.get(table) ?? readMarks(table);
  marksOfOrphans.set(table, marks);
  return [...marks].filter(([, each]) => each.startsWith(mark)).map(([pid]) => pid);
}

const marksOfOrphans = new WeakMap<ProcessTable, ReadonlyMap<number, string>>();

/**
 * By process. Orphans have been given to the first process, or to one above us: only children of those are looked at.
 * Only Linux tells.
 */
function readMarks(table: ProcessTable): ReadonlyMap<number, string> {
  if (process.platform !== "linux") return new Map();
  const above = new Set([1]);
  for (let at = table.get(process.pid); at && !above.has(at.parent); at = table.get(at.parent)) above.add(at.parent);
  const candidates = [...table.values()].filter(({ parent }) => above.has(parent));
  return new Map(candidates.flatMap(({ pid }) => markOf(pid).map((mark) => [pid, mark])));
}

let upcoming: Promise<ProcessTable> | undefined;
let readAt = Number.NEGATIVE_INFINITY;
let cost = 0;

/**
 * A table that is read after this call, and once for all who ask at about the same time: where hundreds of runs are
 * ended together, reading must not keep this process from everything else.
 */
export function sharedTable(): Promise<ProcessTable> {
  upcoming ??= new Promise((resolve) => {
    const wait = Math.max(0, readAt + 2 * cost - performance.now());
    setTimeout(() => {
      upcoming = undefined;
      const startedAt = performance.now();
      const table = readTable();
      readAt = performance.now();
      cost = readAt - startedAt;
      resolve(table);
    }, wait);
  });
  return upcoming;
}

function processesFromProc(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(processFromProc);
}

/** The command in `stat` may hold spaces and brackets: what counts stands after its last bracket. */
function processFromProc(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent = "0"] = fields;
    return /[ZX]/.test(state) ? [] : [{ pid: Number(pid), parent: Number(parent), startTime: fields[19] ?? "" }];
  } catch {
    return [];
  }
}

/** Empty for a process without one, for one of somebody else, and for one that is gone. */
function markOf(pid: number): string[] {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return entries
      .filter((entry) => entry.startsWith(`${RUN_MARKER}=`))
      .map((entry) => entry.slice(RUN_MARKER.length + 1));
  } catch {
    return [];
  }
}

/** By its whole path: PATH may lead into the project. */
export const PS = "/bin/ps";

/** For systems without `/proc`. */
export function processesFromPs(): Process[] {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const listing = execFileSync(PS, ["-A", "-o", "pid=,ppid=,stat=,lstart="], { encoding: "latin1" });
  return listing.split("\n").flatMap((line) => {
    const [, pid, parent, state = "", startTime = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)/.exec(line) ?? [];
    return pid === undefined || state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), startTime }];
  });
}
