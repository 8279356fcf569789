/** Driver processes: each runs one contender and reports over IPC. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";

/** The words before a command that pin it to one core; none without `taskset`. On two cores, the scheduler's choice dominates the result. */
export function onOneCore(): string[] {
  const taskset = "/usr/bin/taskset";
  return existsSync(taskset) ? [taskset, "--cpu-list", String(availableParallelism() - 1)] : [];
}

/** The next message of a driver. Rejects if the driver exits. */
export async function reply(driver: ChildProcess): Promise<unknown> {
  const ended = new AbortController();
  driver.once("exit", () => ended.abort(new Error("The driver process exited.")));
  const [message] = await once(driver, "message", { signal: ended.signal });
  driver.removeAllListeners("exit");
  return message;
}
