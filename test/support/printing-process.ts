import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** A running program of this folder that prints JSON lines. It is killed when the test ends. */
export interface PrintingProcess<Line> {
  readonly pid: number;
  /** The lines so far. */
  readonly lines: readonly Line[];
  /** Resolves to the first line, also among earlier ones, that meets the condition. Rejects if the program ends before. */
  until(condition: (line: Line, count: number) => boolean): Promise<Line>;
  /** Ends its standard input. */
  endInput(): void;
  signal(signal: NodeJS.Signals): void;
  /** `kill -9`. Resolves when it has ended and all of its lines are here. */
  kill(): Promise<void>;
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs the program through another one, as in `["bash", "-c", "ulimit -f 100; exec \"$@\"", "bash"]`. */
  readonly through?: readonly string[];
}

export function startProgram<Line>(name: string, options: object, how: ProgramOptions = {}): PrintingProcess<Line> {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const [command = "", ...args] = [...(how.through ?? []), process.execPath, program, JSON.stringify(options)];
  const child: ChildProcess = spawn(command, args, {
    cwd: how.cwd,
    env: how.env === undefined ? process.env : { ...how.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin?.on("error", () => {});
  const lines: Line[] = [];
  const checks = new Set<() => void>();
  const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  reader.on("line", (line) => {
    lines.push(JSON.parse(line) as Line);
    for (const check of checks) check();
  });
  const ended = Promise.all([once(child, "close"), once(reader, "close")]).then(([[code]]) => code as number | null);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const until = (condition: (line: Line, count: number) => boolean): Promise<Line> =>
    new Promise((resolve, reject) => {
      let checked = 0;
      const check = (): void => {
        while (checked < lines.length) {
          const line = lines[checked++] as Line;
          if (!condition(line, checked)) continue;
          checks.delete(check);
          return resolve(line);
        }
      };
      checks.add(check);
      check();
      void ended.then((code) => reject(new Error(`${name} ended with ${code}: ${stderr}`)));
    });
  return {
    pid: child.pid as number,
    lines,
    until,
    endInput: () => void child.stdin?.end(),
    signal: (signal) => void child.kill(signal),
    kill,
    ended,
  };
}
