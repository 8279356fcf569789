import { openShell } from "../opencode/bun-shell.ts";

/** The result of a command, as in Amp: text, where Bun has bytes. */
interface ShellResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The `$` of an Amp plugin. A command that fails does not throw: plugins read `exitCode`. */
export function ampShell(cwd: string): (strings: TemplateStringsArray, ...values: unknown[]) => object {
  const $ = openShell(cwd);
  return (strings, ...values) => {
    const command = $(strings, ...values)
      .quiet()
      .nothrow();
    const run = command.then.bind(command);
    const then: typeof command.then = (done, failed) => run(toResult).then(done as never, failed);
    return Object.assign(command, { then });
  };
}

function toResult(output: { exitCode: number; stdout: Buffer; stderr: Buffer }): ShellResult {
  return { exitCode: output.exitCode, stdout: String(output.stdout), stderr: String(output.stderr) };
}
