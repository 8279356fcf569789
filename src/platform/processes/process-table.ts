import { readdirSync, readFileSync } from "node:fs";
import { tryOrUndefined } from "../values/try-or-undefined.ts";
import { isPartOf, RUN_MARKER } from "./run-marker.ts";

/** A running process. `startTime` distinguishes it from a later process with the same pid. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The id of its process group. */
  readonly group: number;
  readonly startTime: string;
}

/** The running processes at one moment, by pid, without zombies. */
type ProcessTable = ReadonlyMap<number, Process>;

/** Empty on Windows, where taskkill ends process trees. */
export function readTable(): ProcessTable {
  try {
    const rows =
      process.platform === "win32" ? [] : process.platform === "linux" ? processesFromProc() : processesFromPs();
    return new Map(rows.map((row) => [row.pid, row]));
  } catch {
    return new Map();
  }
}

export function stillRuns({ pid, startTime }: Process): boolean {
  if (process.platform === "linux") return processFromProc(String(pid))[0]?.startTime === startTime;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * The start time of a process, as text without spaces that is the same in every process. Undefined if the process has ended, and
 * on Windows.
 */
export function startTimeOf(pid: number): string | undefined {
  if (process.platform === "win32") return undefined;
  if (process.platform === "linux") return processFromProc(String(pid))[0]?.startTime;
  return tryOrUndefined(() => processesFromPs(["-p", String(pid)])[0]?.startTime.replaceAll(/\s+/g, "-"));
}

/** The processes with these pids and all their descendants. */
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

/** Processes whose parent has exited and whose run marker is `mark` or a part of it. */
export function orphansOf(mark: string, table: ProcessTable): number[] {
  const marks = marksOfOrphans.get(table) ?? readMarks(table);
  marksOfOrphans.set(table, marks);
  return [...marks].filter(([, each]) => isPartOf(each, mark)).map(([pid]) => pid);
}

/** Whether a process outside of the process group of `pid` descends from it, or is an orphan with the run marker. */
export function hasLeftGroup(pid: number, mark: string): boolean {
  const table = readTable();
  return withDescendants([pid, ...orphansOf(mark, table)], table).some(({ group }) => group !== pid);
}

const marksOfOrphans = new WeakMap<ProcessTable, ReadonlyMap<number, string>>();

/**
 * Run markers by pid. The kernel gives orphans to process 1 or to one of our ancestors, so only their children are
 * checked.
 */
function readMarks(table: ProcessTable): ReadonlyMap<number, string> {
  if (process.platform === "win32") return new Map();
  const above = new Set([1]);
  for (let at = table.get(process.pid); at && !above.has(at.parent); at = table.get(at.parent)) above.add(at.parent);
  const candidates = [...table.values()].filter(({ parent }) => above.has(parent));
  if (process.platform !== "linux") return marksFromPs(candidates);
  return new Map(candidates.flatMap(({ pid }) => markOf(pid).map((mark) => [pid, mark])));
}

let upcoming: Promise<ProcessTable> | undefined;
let readAt = Number.NEGATIVE_INFINITY;
let cost = 0;

/**
 * A process table that is read after this call. Concurrent callers share one table, so that ending hundreds of runs
 * does not block this process.
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

/** The command in `stat` may contain spaces and brackets: the fields begin after its last bracket. */
function processFromProc(pid: string): Process[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent = "0", group = "0"] = fields;
    if (/[ZX]/.test(state)) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startTime: fields[19] ?? "" }];
  } catch {
    return [];
  }
}

/** Empty for a process without a marker, of another user, or that has exited. */
function markOf(pid: number): string[] {
  try {
    return environmentOf(pid)
      .split("\0")
      .filter((entry) => entry.startsWith(`${RUN_MARKER}=`))
      .map((entry) => entry.slice(RUN_MARKER.length + 1));
  } catch {
    return [];
  }
}

/** The environment of a process that is just starting a program reads as empty for a moment, so it is read again. */
function environmentOf(pid: number): string {
  let text = "";
  for (let attempt = 0; text === "" && attempt < 50; attempt += 1) text = readFileSync(`/proc/${pid}/environ`, "utf8");
  return text;
}

/** An absolute path, since PATH may lead into the project. */
export const PS = "/bin/ps";

/** For systems without `/proc`. `which` selects the processes; without a match, the result is empty. */
export function processesFromPs(which: readonly string[] = ["-A"]): Process[] {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  // The start time is local time in the language of the user, unless the environment says otherwise.
  const { stdout, error } = spawnSync(PS, [...which, "-o", "pid=,ppid=,pgid=,stat=,lstart="], {
    encoding: "latin1",
    env: { LC_ALL: "C", TZ: "UTC" },
  });
  if (error) throw error;
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, state = "", startTime = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*\S)/.exec(line) ?? [];
    if (pid === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), startTime }];
  });
}

/** `ps -E` writes the environment behind the command. It hides that of programs that are part of macOS. */
function marksFromPs(candidates: readonly Process[]): ReadonlyMap<number, string> {
  if (process.platform !== "darwin" || candidates.length === 0) return new Map();
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const pids = candidates.map(({ pid }) => pid).join(",");
  const options = { encoding: "latin1", env: { LC_ALL: "C" }, maxBuffer: 64 * 1024 * 1024 } as const;
  const { stdout } = spawnSync(PS, ["-E", "-ww", "-p", pids, "-o", "pid=,command="], options);
  return marksIn(stdout ?? "");
}

/** The run markers in the output of `ps -E`, by pid. The last word counts: the environment follows the arguments. */
export function marksIn(listing: string): ReadonlyMap<number, string> {
  const rows = listing.split("\n").flatMap((line): [number, string][] => {
    const [, pid] = /^\s*(\d+)\s/.exec(line) ?? [];
    const mark = [...line.matchAll(new RegExp(` ${RUN_MARKER}=([0-9a-f/-]+)(?= |$)`, "g"))].at(-1)?.[1];
    return pid === undefined || mark === undefined ? [] : [[Number(pid), mark]];
  });
  return new Map(rows);
}
