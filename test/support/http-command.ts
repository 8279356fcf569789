import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Ended, ending } from "./cli.ts";
import type { Sandbox } from "./fixture.ts";

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));

/** A running process of `toolwright serve` or another server command. */
export interface ServeCommand {
  readonly child: ChildProcess;
  /** Its stdout until it is ready. */
  until(text: string): Promise<string>;
  /** Its stderr until it is ready. */
  untilSaid(text: string): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** Starts `toolwright serve` in a trusted project. It ends with the current test. */
export function startServe(at: Sandbox, args: readonly string[], env: Record<string, string> = {}): ServeCommand {
  return startServer(at, ["serve", "--trust", ...args], env);
}

/** Starts a server command. It ends with the current test. */
export function startServer(at: Sandbox, args: readonly string[], env: Record<string, string> = {}): ServeCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: at.project,
    env: { ...at.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return following(child);
}

/** Follows the output of a server that is a child process. It ends with the current test. */
export function following(child: ChildProcessByStdio<null, Readable, Readable>): ServeCommand {
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

/** Starts `toolwright serve --port 0 --json` and parses its output. */
export async function readyServe(
  at: Sandbox,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ServeCommand & { url: string; token: string; mcp: string; line: string }> {
  const command = startServe(at, ["--port", "0", "--json", ...args], env);
  const line = await command.until("\n");
  return { ...command, ...(JSON.parse(line) as { url: string; token: string; mcp: string }), line };
}
