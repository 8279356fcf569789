import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { startedWith } from "./processes.ts";

const QUIET = "> /dev/null 2>&1 < /dev/null";

/** Commands of a shell, each of which leaves a process behind. All processes wait for minutes, and are known by a number. */
const WAYS: Record<string, (number: number) => string> = {
  "a plain background job": (number) => `sleep ${number} ${QUIET} &`,
  nohup: (number) => `nohup sleep ${number} ${QUIET} &`,
  setsid: (number) => `setsid sleep ${number} ${QUIET} &`,
  "a double fork": (number) => `(sleep ${number} ${QUIET} &)`,
  "setsid and a double fork": (number) => `(setsid sh -c '(sleep ${number} &)' ${QUIET} &)`,
  "a daemon without open files, in another directory": (number) =>
    `(cd / && setsid sh -c '(exec 0<&- 1>&- 2>&-; sleep ${number} &)' ${QUIET} &)`,
  "a process that ignores SIGTERM and SIGHUP": (number) =>
    `(setsid sh -c 'trap "" TERM HUP; sleep ${number}; :' ${QUIET} &)`,
  "a process that changes its title": (number) =>
    `(setsid "${process.execPath}" -e 'process.title = "sleep ${number}"; setInterval(() => {}, 1000)' ${QUIET} &)`,
};

const FIRST = 6_001;
const NUMBERS = Object.keys(WAYS).map((_, index) => FIRST + index);

/** A script that leaves one process for each way. */
export const LEAVES_ALL: string = Object.values(WAYS)
  .map((way, index) => way(FIRST + index))
  .join("\n");

/** The ways whose processes run. `home` is the home folder in their environment. */
function runningWays(home: string): string[] {
  const running = startedWith(home);
  return Object.keys(WAYS).filter((_, at) => running.some((line) => line.trimEnd().endsWith(` sleep ${NUMBERS[at]}`)));
}

/** Waits until a process of each way runs. */
export async function untilAllRun(home: string): Promise<void> {
  for (let round = 0; round < 200 && runningWays(home).length < NUMBERS.length; round++) await sleep(50);
  expect(runningWays(home)).toEqual(Object.keys(WAYS));
}

/** Waits until no process of any way is left, for at most ten seconds. The program and its hosts may run. */
export async function untilNoneWaits(home: string): Promise<void> {
  for (let round = 0; round < 200 && runningWays(home).length > 0; round++) await sleep(50);
  expect(runningWays(home)).toEqual([]);
}

/** Waits until no process with this home folder is left, for at most ten seconds. */
export async function untilNoneRuns(home: string): Promise<void> {
  for (let round = 0; round < 200 && startedWith(home).length > 0; round++) await sleep(50);
  expect([runningWays(home), startedWith(home)]).toEqual([[], []]);
}
