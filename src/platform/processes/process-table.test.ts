import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { processesFromPs, readTable, sharedTable, startTimeOf, stillRuns, withDescendants } from "./process-table.ts";

describe.skipIf(process.platform === "win32")("the table of processes", () => {
  it("contains the parent of each process, and whether it still runs", async () => {
    const child = spawn("sleep", ["60"]);
    const found = withDescendants([process.pid], readTable()).find(({ pid }) => pid === child.pid);
    expect(found).toMatchObject({ pid: child.pid, parent: process.pid });
    if (!found) return;
    expect(stillRuns(found)).toBe(true);
    child.kill();
    await new Promise((resolve) => child.once("exit", resolve));
    expect(stillRuns(found)).toBe(false);
    expect(readTable().has(found.pid)).toBe(false);
  });

  it("is the same when read with ps", () => {
    const ours = processesFromPs().find(({ pid }) => pid === process.pid);
    expect(ours).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(ours?.startTime).toMatch(/\d\d:\d\d:\d\d/);
  });

  it("has the same start times in every process, whatever their language and time zone", () => {
    const [first] = processesFromPs(["-p", String(process.pid)]);
    const before = { ...process.env };
    try {
      Object.assign(process.env, { TZ: "Pacific/Kiritimati", LC_ALL: "de_DE.UTF-8" });
      expect(processesFromPs(["-p", String(process.pid)])).toEqual([first]);
    } finally {
      process.env = before;
    }
    expect(processesFromPs(["-p", "1999999999"])).toEqual([]);
    expect(startTimeOf(process.pid)).toMatch(/^\S+$/);
    expect(startTimeOf(1_999_999_999)).toBeUndefined();
  });

  it("is read once for concurrent requests, and again for later ones", async () => {
    const [one, two] = await Promise.all([sharedTable(), sharedTable()]);
    expect(one).toBe(two);
    expect(await sharedTable()).not.toBe(one);
  });
});
