import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "../core/error-code.ts";
import { tryOrUndefined } from "../core/try-or-undefined.ts";
import { startTimeOf } from "./process-table.ts";

/** Identifies a process, also after its pid is used again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Undefined if the system does not tell it. */
  readonly startTime: string | undefined;
  /** A process id is valid only on one machine, boot and container. */
  readonly machine: string;
}

/** "unknown": the process is on another machine, or its pid runs but may be that of a later process. */
export type Liveness = "gone" | "lives" | "unknown";

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), machine: machineID() };
}

export function livenessOf({ pid, startTime, machine }: ProcessIdentity): Liveness {
  if (machine !== machineID()) return "unknown";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return "gone";
  }
  if (startTime === undefined) return "unknown";
  const now = startTimeOf(pid);
  if (now === startTime) return "lives";
  // A pid without a start time is that of a zombie, if the system tells start times at all.
  return now === undefined && startTimeOf(process.pid) === undefined ? "unknown" : "gone";
}

/** Host name, boot and pid namespace. Only Linux has the last two. */
export function machineID(): string {
  const boot = tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  const namespace = tryOrUndefined(() => readlinkSync("/proc/self/ns/pid"));
  return [hostname(), boot, namespace].join("/");
}
