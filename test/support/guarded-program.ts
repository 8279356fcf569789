/**
 * A program that guards a process tree and a folder, prints their ids as a line of JSON, and then does what its argument
 * says. The tree is a process that ignores SIGTERM and a detached child of it. Of an "unnamed" one, the guard knows only the run marker.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardFolder, guardRun, guardTree } from "../../src/platform/processes/process-guard.ts";
import { newMark, RUN_MARKER } from "../../src/platform/processes/run-marker.ts";

const WAITS = "setInterval(() => {}, 1000);";
const STUBBORN = `process.on("SIGTERM", () => {}); ${WAITS}`;
const PARENT = `const child = require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(STUBBORN)}], { detached: true, stdio: "ignore" });
process.stdout.write(child.pid + "\\n");
`;
/** It exits as soon as its standard input ends, and leaves its child behind. */
const LEAVES = `${PARENT.replace("detached: true, ", "")} process.stdin.on("end", () => process.exit()).resume();`;

const ACTIONS: Record<string, (release: () => void) => void> = {
  waits: () => {},
  exits: () => process.exit(0),
  "has nothing more to do": () => {
    child.unref();
    for (const stream of [child.stdin, child.stdout]) stream.destroy();
    clearInterval(busy);
  },
  releases: (release) => {
    release();
    process.exit(0);
  },
  "kills itself": () => process.kill(process.pid, "SIGKILL"),
};

const busy = setInterval(() => {}, 1000);
const [action = "waits", kind = "stays"] = process.argv.slice(2);
const code = kind === "leaves" ? LEAVES : `${PARENT} ${STUBBORN}`;
const mark = newMark();
const releaseRun = kind === "unnamed" ? guardRun(mark) : undefined;
const env = { ...process.env, [RUN_MARKER]: mark };
const child = spawn("node", ["-e", code], { env, stdio: ["pipe", "pipe", "ignore"], detached: true });
const folder = mkdtempSync(join(tmpdir(), "guarded-"));
writeFileSync(join(folder, "file"), "text");
const grandchild = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(Number(data))));
const releases = [releaseRun ?? guardTree(child.pid as number), guardFolder(folder)];
// Bun writes to pipes with a delay.
if (process.versions.bun !== undefined) await new Promise((resolve) => setTimeout(resolve, 10));
const line = `${JSON.stringify({ pids: [child.pid, grandchild], folder })}\n`;
const release = (): void => {
  for (const each of releases) each();
};
process.stdout.write(line, () => ACTIONS[action]?.(release));
