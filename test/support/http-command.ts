import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Ended, ending } from "./cli.ts";
import type { Sandbox } from "./fixture.ts";

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));

/** `toolwright serve`, started as a program. */
export interface ServeCommand {
  readonly child: ChildProcess;
  /** What it has written to stdout by the time that it is ready, which a line with this text tells. */
  until(text: string): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** Starts it, from its sources, in a project that is trusted; it is gone when the current test ends. */
export function startServe(at: Sandbox, args: readonly string[], env: Record<string, string> = {}): ServeCommand {
  const child = spawn(process.execPath, [MAIN, "serve", "--trust", ...args], {
    cwd: at.project,
    env: { ...at.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = ending(child);
  let stdout = "";
  const until = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      child.stdout?.on("data", (more: string) => {
        stdout += more;
        if (stdout.includes(text)) resolve(stdout);
      });
      void ended.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)));
    });
  return { child, until, ended };
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
