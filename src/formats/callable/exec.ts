import type { ExecOptions, ExecResult } from "../../authoring/pi/extension-types.ts";
import { messageOf } from "../../core/error.ts";
import type { Scope } from "./scope.ts";

/** Runs a command for a file, without a shell. Never rejects: what goes wrong is in the result. */
export async function exec(
  scope: Scope,
  command: string,
  args: readonly string[] = [],
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { signal, timeout, env } = options;
  const { runProcess } = await import("../../process/run-process.ts");
  try {
    const { stdout, stderr, code, killed } = await runProcess(command, args.map(String), {
      cwd: options.cwd ?? scope.directory(),
      signal,
      ...(timeout && timeout > 0 ? { timeoutMs: timeout } : {}),
      ...(env ? { env: { ...process.env, ...env } } : {}),
    });
    return { stdout, stderr, code: code ?? 1, killed };
  } catch (error) {
    return { stdout: "", stderr: messageOf(error), code: 1, killed: false };
  }
}
