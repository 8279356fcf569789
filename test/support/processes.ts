import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The running descendants of this process, as `pid command`. */
export function descendants(root: number = process.pid): string[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => read(Number(pid)));
  const found = new Set<number>([root]);
  for (const parent of found) for (const each of all) if (each.parent === parent) found.add(each.pid);
  found.delete(root);
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, command }) => `${pid} ${command}`);
}

/** Host processes among them. Zombies count: a parent must reap its children. */
export function hosts(root?: number): string[] {
  return descendants(root).filter((line) => /host\.mjs|host\/process\/child\.ts|<defunct>|<exiting>/.test(line));
}

function read(pid: number): { pid: number; parent: number; command: string }[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    // An exiting process has no command line, even before it is a zombie.
    const command = state === "Z" ? "<defunct>" : words || "<exiting>";
    return [{ pid, parent: Number(parent), command }];
  } catch {
    return [];
  }
}

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  return read(pid).some(({ command }) => command !== "<defunct>" && command !== "<exiting>");
}

/** Every process with this home folder in its environment, whatever its parent is. */
export function startedWith(home: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
        return env.includes(`HOME=${home}`) ? read(Number(pid)).map(({ command }) => `${pid} ${command}`) : [];
      } catch {
        return [];
      }
    });
}

/** Hosts of a process that was killed end shortly after it: processes that are still there after three seconds are left behind. */
export async function leftProcesses(home: string): Promise<readonly string[]> {
  for (let tries = 0; tries < 30 && startedWith(home).length > 0; tries += 1) await sleep(100);
  return startedWith(home);
}
