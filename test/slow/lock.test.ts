import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { withLock } from "../../src/settings/lock.ts";
import { put, temporary } from "../support/temporary.ts";

const LOCK = new URL("../../src/settings/lock.ts", import.meta.url).href;

/** Starts a process that takes the lock of a file, reports it, and then runs this code. */
function holder(file: string, then: string): ReturnType<typeof spawn> {
  const code = `const { withLock } = await import(${JSON.stringify(LOCK)});
    await withLock(${JSON.stringify(file)}, () => { process.stdout.write("held"); ${then} });`;
  return spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
}

/** The lock of a process that was killed while it held the lock. */
async function leftBehind(file: string): Promise<string> {
  const child = holder(file, "for (;;);");
  if (child.stdout) await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  return readFileSync(`${file}.lock`, "utf8");
}

const isLinux = process.platform === "linux";

describe("an abandoned lock does not keep others waiting", () => {
  const OTHER_BOOT = "00000000-0000-0000-0000-000000000000";

  it.each<[string, (lock: string, left: string) => void]>([
    ["of a process that was killed", () => {}],
    ["of a process whose id has been reused", (lock, left) => put(lock, left.replace(/^\d+/, "1"))],
    ["that is empty, after a full disk or a crash", (lock) => put(lock, "")],
    ["that is cut short", (lock, left) => put(lock, left.slice(0, 3))],
    ["of an earlier version, whose process has ended", (lock) => put(lock, `${deadPid()} abc ${hostname()}`)],
    ["that is not text", (lock) => writeFileSync(lock, Buffer.from([0xff, 0, 0xfe]))],
    ["that is huge", (lock) => put(lock, "x".repeat(2_000_000))],
    ["of another boot", (lock, left) => put(lock, left.replace(/[0-9a-f-]{36}/, OTHER_BOOT))],
    [
      "of another machine, an hour old",
      (lock, left) => {
        put(lock, left.replaceAll(hostname(), "elsewhere"));
        utimesSync(lock, new Date(Date.now() - 3_600_000), new Date(Date.now() - 3_600_000));
      },
    ],
    ["that is a broken link", (lock) => symlinkSync("/nowhere", lock)],
    ["that is a link to a device", (lock) => symlinkSync("/dev/zero", lock)],
    ["that is a pipe", (lock) => spawnSync("mkfifo", [lock])],
    ["that is an empty folder", (lock) => mkdirSync(lock)],
    ["that cannot be read", (lock) => writeFileSync(lock, "", { mode: 0 })],
  ])("[X1] %s", async (_, make) => {
    const folder = temporary();
    const file = join(folder, "trust.json");
    const left = await leftBehind(file);
    spawnSync("rm", ["-rf", `${file}.lock`]);
    if (make.length === 0) put(`${file}.lock`, left);
    else make(`${file}.lock`, left);
    expect(await withLock(file, () => "done")).toBe("done");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a folder that is not empty is not removed, and is reported", async () => {
    const file = join(temporary(), "trust.json");
    put(join(`${file}.lock`, "mine"), "text");
    await expect(withLock(file, () => "done")).rejects.toThrow(
      `${file}.lock is a folder, but must be a lock file. Move it elsewhere, then run this again.`,
    );
    expect(readFileSync(join(`${file}.lock`, "mine"), "utf8")).toBe("text");
  });
});

describe("a lock that is held", () => {
  it("is waited for", async () => {
    const file = join(temporary(), "trust.json");
    const child = holder(file, "const end = Date.now() + 1500; while (Date.now() < end);");
    if (child.stdout) await once(child.stdout, "data");
    expect(existsSync(`${file}.lock`)).toBe(true);
    let ended = false;
    child.once("exit", () => {
      ended = true;
    });
    await withLock(file, () => {});
    expect(existsSync(`${file}.lock`)).toBe(false);
    if (!ended) await once(child, "exit");
  });

  it.runIf(isLinux)("is not taken from a stopped process, and the error explains what to do", async () => {
    const file = join(temporary(), "trust.json");
    const child = holder(file, "for (;;);");
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGSTOP");
    await expect(withLock(file, () => "done")).rejects.toThrow(
      `Another process (${child.pid}) holds ${file}.lock. Try again; if no other toolwright command is running, delete that file.`,
    );
    child.kill("SIGKILL");
    await once(child, "exit");
  });

  it.each([3_600_000, -3_600_000])("is waited for as long when the clock jumps by %s ms meanwhile", async (ms) => {
    const file = join(temporary(), "file");
    const child = holder(file, "const until = performance.now() + 1000; while (performance.now() < until);");
    if (child.stdout) await once(child.stdout, "data");
    const { now } = Date;
    onTestFinished(() => {
      Date.now = now;
    });
    const locked = withLock(file, () => "taken");
    await sleep(50);
    Date.now = () => now() + ms;
    expect(await locked).toBe("taken");
  });

  it("is not taken from another machine that uses it, even if the clock there is behind", async () => {
    const file = join(temporary(), "trust.json");
    const past = new Date(Date.now() - 60_000);
    let isHeld = true;
    const hold = (n: number): void => {
      put(`${file}.lock`, `${n} abc elsewhere/boot/ns 1`);
      utimesSync(`${file}.lock`, past, past);
    };
    hold(1);
    const waiting = withLock(file, () => isHeld);
    for (let n = 2; n < 8; n += 1) {
      await sleep(200);
      if (!existsSync(`${file}.lock`)) break;
      hold(n);
    }
    isHeld = false;
    rmSync(`${file}.lock`, { force: true });
    expect(await waiting).toBe(false);
  });

  it("is released when the work throws an error, and only by its holder", async () => {
    const folder = temporary();
    const file = join(folder, "trust.json");

    await expect(
      withLock(file, () => {
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
    await withLock(file, () => put(`${file}.lock`, "somebody else's"));
    expect(readFileSync(`${file}.lock`, "utf8")).toBe("somebody else's");
  });
});

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync("true").pid;
}
