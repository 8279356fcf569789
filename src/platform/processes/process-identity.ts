import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "../files/error-code.ts";
import { setBounded } from "../values/set-bounded.ts";
import { tryOrUndefined } from "../values/try-or-undefined.ts";
import { startTimeOf } from "./process-table.ts";

/** Identifies a process, also after its pid is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Undefined if the system does not tell it. */
  readonly startTime: string | undefined;
  /** A process id is valid only on one machine, boot and container. */
  readonly machine: string;
}

/** "unknown": the process is on another machine, or its pid runs but may be that of a later process (on Windows). */
export type Liveness = "gone" | "lives" | "unknown";

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: recentStartTime(process.pid), machine: machineID() };
}

/** `here`: the machine of this process, for a caller that asks often: it is read from files. */
export function livenessOf({ pid, startTime, machine }: ProcessIdentity, here: string = machineID()): Liveness {
  if (machine !== here) return "unknown";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return "gone";
  }
  if (startTime === undefined) return "unknown";
  const now = recentStartTime(pid);
  if (now === startTime) return "lives";
  // A pid without a start time is that of a zombie, if the system tells start times at all.
  return now === undefined && recentStartTime(process.pid) === undefined ? "unknown" : "gone";
}

/** How long a start time is valid on systems where reading it starts a program. */
const RECENT_MS = 10_000;
const recent = new Map<number, { readonly startTime: string | undefined; readonly at: number }>();

function recentStartTime(pid: number): string | undefined {
  if (process.platform === "linux") return startTimeOf(pid);
  const at = performance.now();
  const known = recent.get(pid);
  if (known && at - known.at < RECENT_MS) return known.startTime;
  const startTime = startTimeOf(pid);
  setBounded(recent, pid, { startTime, at }, 100);
  return startTime;
}

/** Host name, boot and pid namespace. Only Linux has the last two. */
export function machineID(): string {
  const boot = tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const namespace = tryOrUndefined(() => readlinkSync("/proc/self/ns/pid"));
  return [hostname(), boot, namespace].join("/");
}
