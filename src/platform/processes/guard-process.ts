/** The process that `process-guard.ts` starts. It waits until its standard input ends, which is when its parent has ended. */
import { rmSync } from "node:fs";
import type { Guarded, GuardMessage } from "./process-guard.ts";
import { startTimeOf } from "./process-table.ts";
import { killGroup, killTree } from "./process-tree.ts";
import { terminateOrphans, terminateTree } from "./terminate-tree.ts";

type Tree = Extract<Guarded, { readonly pid: number }>;

const guarded = new Map<number, Guarded>();
let rest = "";

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
for (const message of JSON.parse(process.argv[2] ?? "[]")) handle(message);
process.stdin.setEncoding("utf8").on("data", (text) => {
  const lines = `${rest}${text}`.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line !== "") handle(JSON.parse(line));
});
for (const event of ["end", "error", "close"]) process.stdin.once(event, removeAll);

function handle({ id, add }: GuardMessage): void {
  if (!add) guarded.delete(id);
  else guarded.set(id, "pid" in add ? { ...add, startTime: add.startTime ?? startTimeOf(add.pid) } : add);
}

let begun = false;

async function removeAll(): Promise<void> {
  if (begun) return;
  begun = true;
  const all = [...guarded.values()];
  await Promise.all(all.map(end));
  for (const each of all) if ("folder" in each) remove(each.folder);
  process.exit(0);
}

async function end(each: Guarded): Promise<void> {
  if ("pid" in each) await endTree(each);
  else if ("mark" in each) await terminateOrphans(each.mark);
}

/** The group is killed too: the process may have exited just now, when it lost its parent, and left others behind. */
async function endTree({ pid, startTime, mark }: Tree): Promise<void> {
  if (process.platform === "win32") return killTree(pid);
  const current = startTimeOf(pid);
  const isReused = current !== undefined && startTime !== undefined && current !== startTime;
  const exitCode = current === undefined || isReused ? 0 : null;
  await terminateTree({ pid, exitCode, signalCode: null }, mark);
  if (!isReused) killGroup(pid);
}

/** A process that was killed may still have the folder open for a moment. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // Files of another user, for example.
  }
}
