import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isRunning } from "../../../test/support/processes.ts";
import { temporary } from "../../../test/support/temporary.ts";
import { killTree, residentBytes } from "./process-tree.ts";
import { RUN_MARKER } from "./run-marker.ts";

describe("ending a process and its descendants", () => {
  it.skipIf(process.platform === "win32")(
    "reaches grandchildren that have left the group and ignore SIGTERM",
    async () => {
      const script = `const { spawn } = require("node:child_process");
      const child = spawn("sh", ["-c", "trap '' TERM; sleep 60 & echo $!; wait"], { detached: true, stdio: ["ignore", "inherit", "ignore"] });
      console.log(child.pid); setInterval(() => {}, 1000);`;
      const parent = spawn(process.execPath, ["-e", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
      const pids: number[] = [];
      parent.stdout
        .setEncoding("utf8")
        .on("data", (text: string) => pids.push(...text.trim().split(/\s+/).map(Number)));
      while (pids.length < 2) await sleep(10);
      const gone = Promise.all([new Promise((resolve) => parent.on("exit", resolve)), closed(parent.stdout)]);
      killTree(parent.pid as number);
      await gone;
    },
  );

  it.skipIf(process.platform !== "linux")("reaches orphans of its own runs, and no others", async () => {
    const folder = temporary();
    const script = `import { runProcess } from ${JSON.stringify(new URL("./run-process.ts", import.meta.url).href)};
      runProcess("sh", ["-c", "(setsid sleep 60 & echo $! > pid); sleep 60"], { cwd: ${JSON.stringify(folder)} });`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, [RUN_MARKER]: "outer" },
    });
    const read = (): number => Number(existsSync(`${folder}/pid`) ? readFileSync(`${folder}/pid`, "utf8") : 0);
    while (read() === 0) await sleep(10);
    killTree(parent.pid as number, "outer");
    while (isRunning(read())) await sleep(10);
  });

  it("measures the resident memory of another process, and returns undefined for a missing one", () => {
    expect(residentBytes(process.pid)).toBeGreaterThan(10_000_000);
    expect(residentBytes(2 ** 22 + 1)).toBeUndefined();
  });
});

/** A pipe closes when the last process that holds its other end has ended. */
function closed(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => stream.on("close", resolve));
}
