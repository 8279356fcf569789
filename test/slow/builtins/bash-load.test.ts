import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { outputOf, type Run, type ToolResult } from "../../../src/index.ts";
import { openBuiltins } from "../../support/builtins.ts";
import { hosts, startedWith } from "../../support/processes.ts";

const CALLS = 200;
const ABORTED = 100;
const SEED = 20_260_731;

it("[B1] [P4] of 200 concurrent calls, 100 are aborted at random: no process is left, and every result is correct", async () => {
  const { at, toolbox, call } = await openBuiltins({}, { callerIsAsked: true });
  await call("bash", { command: "true", description: "Starts the host" });
  const [host = ""] = hosts();
  const before = [openFiles(process.pid), openFiles(Number.parseInt(host, 10))];
  const random = randomBy(SEED);
  const aborted = new Set(shuffled(CALLS, random).slice(0, ABORTED));
  const results = await Promise.all(
    Array.from({ length: CALLS }, async (_, index) => {
      const command = aborted.has(index) ? endless(index) : ending(index);
      const going = toolbox.call({ name: "bash", input: { command, description: `Call ${index}` } });
      if (aborted.has(index)) void abortAfter(going, random() * 3_000);
      return going.result;
    }),
  );
  // On a busy machine, killed processes take a moment to end.
  while (startedWith(at.home).some((line) => !isHost(line))) await sleep(20);
  for (const [index, result] of results.entries()) {
    if (aborted.has(index)) expect(result).toMatchObject({ ok: false, error: { code: "aborted" } });
    else expect(saidBy(result)).toEqual(expected(index));
  }
  expect(hosts()).toEqual([host]);
  expect([openFiles(process.pid), openFiles(Number.parseInt(host, 10))]).toEqual(before);
}, 60_000);

/** Three kinds of grandchildren: two ignore SIGTERM, and one has left the group. */
function endless(index: number): string {
  return `echo ${index}; (trap '' TERM; sleep 300 & sleep 300) & (setsid sh -c 'trap "" TERM; sleep 300; :' &); sleep 300`;
}

/** Some commands write much, some fail, and all have grandchildren that end after a while. */
function ending(index: number): string {
  const work = index % 5 === 0 ? "seq 1 30000" : `echo ${index}`;
  return `${work}; (trap '' TERM; sleep 0.${index % 10}; echo from below >&2) & wait; exit ${index % 3}`;
}

function expected(index: number): unknown {
  const exit = index % 3;
  const last = `from below\n${exit === 0 ? "" : `[exit code ${exit}]`}`;
  return index % 5 === 0 ? { exit, begins: "1\n2\n3\n", last: true } : { exit, output: `${index}\n${last}` };
}

function saidBy(result: ToolResult): unknown {
  const output = outputOf(result);
  const { exit } = result.data as { exit: unknown };
  if (result.notes.truncated === undefined) return { exit, output };
  return { exit, begins: output.slice(0, 6), last: output.includes("\n30000\nfrom below\n") };
}

async function abortAfter(going: Run, ms: number): Promise<void> {
  await sleep(ms);
  going.abort();
}

function isHost(line: string): boolean {
  return hosts().includes(line);
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** A seeded generator of numbers from 0 to 1. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled(count: number, random: () => number): number[] {
  return Array.from({ length: count }, (_, index) => ({ index, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ index }) => index);
}
