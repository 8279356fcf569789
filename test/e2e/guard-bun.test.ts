import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { BUN, installed } from "../support/installed.ts";
import { startedWith } from "../support/processes.ts";
import { temporary } from "../support/temporary.ts";

const PROGRAM = fileURLToPath(new URL("../support/guarded-program.ts", import.meta.url));
const missing = await installed("bun");

describe.skipIf(missing)("[G7] no process and no temporary folder outlives a program in Bun", () => {
  it.each([
    ["is killed by SIGKILL", "waits"],
    ["calls process.exit", "exits"],
    ["has nothing more to do", "has nothing more to do"],
  ])("that %s", async (_what, action) => {
    const home = temporary();
    const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home };
    const program = spawn(BUN, [PROGRAM, action], { env, stdio: ["ignore", "pipe", "inherit"] });
    const line = await new Promise<string>((resolve) => program.stdout.once("data", (data) => resolve(String(data))));
    if (action === "waits") program.kill("SIGKILL");
    for (let round = 0; round < 200 && startedWith(home).length > 0; round++) await sleep(50);
    expect(startedWith(home)).toEqual([]);
    expect(existsSync((JSON.parse(line) as { folder: string }).folder)).toBe(false);
  });
});
