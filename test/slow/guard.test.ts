import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTimeOf } from "../../src/platform/processes/process-table.ts";
import { descendants, isRunning, startedWith } from "../support/processes.ts";
import { put, temporary } from "../support/temporary.ts";

const PROGRAM = fileURLToPath(new URL("../support/guarded-program.ts", import.meta.url));
const GUARDS = {
  sources: fileURLToPath(new URL("../../src/platform/processes/guard-process.ts", import.meta.url)),
  dist: fileURLToPath(new URL("../../dist/guard-process.mjs", import.meta.url)),
};

describe("[G7] no process and no temporary folder outlives the program that guards it", () => {
  it.each<[string, string, (program: ChildProcess) => void]>([
    ["is killed by SIGKILL", "waits", ({ pid }) => process.kill(pid as number, "SIGKILL")],
    ["kills itself right after it has guarded them", "kills itself", () => {}],
    ["calls process.exit", "exits", () => {}],
    ["has nothing more to do", "has nothing more to do", () => {}],
    ["is ended by Ctrl-C in its terminal", "waits", ({ pid }) => process.kill(-(pid as number), "SIGINT")],
    ["loses its terminal", "waits", ({ pid }) => process.kill(-(pid as number), "SIGHUP")],
  ])("when the program %s", async (_what, action, end) => {
    const { program, pids, folder, home } = await started(action);
    end(program);
    await untilGone(pids, folder, home);
  });

  it("when a guarded process exits with the program and leaves another one behind", async () => {
    const { program, pids, folder, home } = await started("waits", "leaves");
    program.kill("SIGKILL");
    await untilGone(pids, folder, home);
  });

  it.skipIf(process.platform !== "linux").each([
    ["waits", ({ pid }: ChildProcess) => process.kill(pid as number, "SIGKILL")],
    ["kills itself", () => {}],
  ] as const)("when the program could not name the process that it started: it %s", async (action, end) => {
    const { program, pids, folder, home } = await started(action, "unnamed");
    end(program);
    await untilGone(pids, folder, home);
  });

  it("when the guard process was killed before", async () => {
    const { program, pids, folder, home } = await started("waits");
    const [first] = guardsOf(program);
    process.kill(first as number, "SIGKILL");
    await until(() => guardsOf(program).some((pid) => pid !== first));
    program.kill("SIGKILL");
    await untilGone(pids, folder, home);
  });

  it("when SIGINT and SIGTERM were sent to the guard process before", async () => {
    const { program, pids, folder, home } = await started("waits");
    // It can ignore signals only once it has started.
    if (process.platform === "linux") await until(() => guardsOf(program).some(handlesSignals));
    else await sleep(500);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.kill(guardsOf(program)[0] as number, signal);
    program.kill("SIGKILL");
    await untilGone(pids, folder, home);
  });

  it("leaves alone what was released", async () => {
    const { pids, folder, home } = await started("releases");
    await until(() => startedWith(home).every((line) => !line.includes("guard-process")));
    expect(pids.map(isRunning)).toEqual([true, true]);
    expect(existsSync(folder)).toBe(true);
    for (const pid of pids) process.kill(pid, "SIGKILL");
    rmSync(folder, { recursive: true });
  });

  it.each(Object.entries(GUARDS))("a guard process from %s ends only what was guarded", async (_from, file) => {
    const [guarded, reused, other] = [sleeper(), sleeper(), sleeper()];
    const [folder, kept] = [temporary(), temporary()];
    put(join(folder, "a/b"), "text");
    const first = [{ id: 1, add: { pid: guarded, startTime: startTimeOf(guarded) } }];
    const guard = spawn(process.execPath, [file, JSON.stringify(first)], { stdio: ["pipe", "inherit", "inherit"] });
    const messages = [
      { id: 2, add: { pid: reused, startTime: "1" } },
      { id: 3, add: { pid: other, startTime: startTimeOf(other) } },
      { id: 4, add: { folder } },
      { id: 5, add: { folder: kept } },
      { id: 6, add: { folder: join(kept, "missing") } },
      { id: 3 },
      { id: 5 },
    ];
    guard.stdin?.end(messages.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const code = await new Promise((resolve) => guard.once("exit", resolve));
    expect(code).toBe(0);
    expect([guarded, reused, other].map(isRunning)).toEqual([false, true, true]);
    expect([folder, kept].map((each) => existsSync(each))).toEqual([false, true]);
  });
});

async function started(action: string, kind = "stays") {
  const home = temporary();
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home };
  const program = spawn(process.execPath, [PROGRAM, action, kind], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => void program.kill("SIGKILL"));
  const line = await new Promise<string>((resolve) => program.stdout.once("data", (data) => resolve(String(data))));
  return { program, home, ...(JSON.parse(line) as { pids: number[]; folder: string }) };
}

async function untilGone(pids: readonly number[], folder: string, home: string): Promise<void> {
  await until(() => !pids.some(isRunning) && !existsSync(folder));
  await until(() => startedWith(home).length === 0);
}

/** Waits for at most ten seconds. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let round = 0; round < 200 && !isTrue(); round++) await sleep(50);
  expect(isTrue()).toBe(true);
}

function guardsOf(program: ChildProcess): number[] {
  return descendants(program.pid)
    .filter((line) => line.includes("guard-process"))
    .map((line) => Number.parseInt(line, 10));
}

function sleeper(): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore", detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid as number;
}

/** Whether a process has its own handlers of the signals that end others. */
function handlesSignals(pid: number): boolean {
  const caught = /^SigCgt:\s*([\da-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const { SIGINT, SIGTERM, SIGHUP } = constants.signals;
  return [SIGINT, SIGTERM, SIGHUP].every((signal) => (BigInt(`0x${caught}`) >> BigInt(signal - 1)) & 1n);
}
