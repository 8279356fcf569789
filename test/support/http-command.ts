import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Ended, ending } from "./cli.ts";
import type { Sandbox } from "./fixture.ts";

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));

/** `toolwright serve`, or another command that goes on, started as a program. */
export interface ServeCommand {
  readonly child: ChildProcess;
  /** What it has written to stdout by the time that it is ready, which a line with this text tells. */
  until(text: string): Promise<string>;
  /** The same of stderr. */
  untilSaid(text: string): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** Starts it, from its sources, in a project that is trusted; it is gone when the current test ends. */
export function startServe(at: Sandbox, args: readonly string[], env: Record<string, string> = {}): ServeCommand {
  return startServer(at, ["serve", "--trust", ...args], env);
}

/** Starts any command that goes on, from its sources; it is gone when the current test ends. */
export function startServer(at: Sandbox, args: readonly string[], env: Record<string, string> = {}): ServeCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: at.project,
    env: { ...at.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = ending(child);
  return { child, until: waiting(child.stdout, ended), untilSaid: waiting(child.stderr, ended), ended };
}

function waiting(output: Readable, ended: Promise<Ended>): (text: string) => Promise<string> {
  let written = "";
  output.on("data", (more: string) => {
    written += more;
  });
  return (text) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (written.includes(text)) resolve(written);
      };
      output.on("data", look);
      look();
      void ended.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)));
    });
}

/** The same with `--port 0 --json`, ready to be asked. */
export async function readyServe(
  at: Sandbox,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServeCommand & { url: string; token: string; mcp: string; line: string }> {
  const command = startServe(at, ["--port", "0", "--json", ...args], env);
  const line = await command.until("\n");
  return { ...command, ...(JSON.parse(line) as { url: string; token: string; mcp: string }), line };
}
