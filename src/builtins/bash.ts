import { stat } from "node:fs/promises";
import { Tool, ToolError, tool } from "../index.ts";
import { absolute } from "../platform/files/absolute.ts";
import { pinFolder } from "../platform/files/pinned-folder.ts";
import { type ProcessResult, runProcess } from "../platform/processes/run-process.ts";
import { exitLine } from "./shell/exit-line.ts";
import { findShell, shellEnvironment } from "./shell/shell.ts";
import { TerminalOutput } from "./shell/terminal-output.ts";
import { guardFor } from "./text/path-guard.ts";

const z = tool.schema;

/** The default and the maximum time limit of a command, and the maximum size of its text. */
const LIMITS = { defaultMs: 120_000, mostMs: 600_000, commandBytes: 100_000 };

export default Tool.define("bash", {
  parameters: z.object({
    command: z
      .string()
      .refine((command) => command.trim() !== "", "Send the command to run.")
      .refine((command) => !command.includes("\0"), "A command cannot hold a NUL byte. Leave it out.")
      .describe("The command to run"),
    description: z.string().describe("What the command does, in five to ten words"),
    timeout: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("The time limit in milliseconds. 120000 by default, 600000 at most"),
    workdir: z
      .string()
      .min(1)
      .optional()
      .describe("The folder to run it in, instead of a cd in the command. The current directory by default"),
  }),
  limits: { timeoutMs: LIMITS.mostMs + 10_000, maxBytes: 30_000, maxLines: 30_000, keep: "both", own: LIMITS },
  hints: {
    title: "Run a command",
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: true,
    card: { kind: "command", command: "command", directory: "workdir" },
  },
  access: ({ command, workdir }, { cwd }) => [
    { kind: "execute", target: command },
    ...(workdir === undefined ? [] : [{ kind: "read", target: absolute(workdir, cwd), named: true } as const]),
  ],
  async execute({ command, description, timeout, workdir }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const timeoutMs = timeout ?? Math.min(limits.defaultMs, limits.mostMs);
    refuseTooMuch(command, timeoutMs, limits);
    const shell = findShell(process.env, context.worktree);
    const show = (output: string): void => context.metadata({ title: description, metadata: { description, output } });
    context.metadata({ title: description, metadata: { description } });
    const output = new TerminalOutput((text) => context.write(text), show);
    const result = await inFolder(workdir, context, (cwd) =>
      runProcess(shell.file, shell.argumentsFor(command), {
        cwd,
        env: shellEnvironment(process.env),
        signal: context.abort,
        timeoutMs,
        // `onOutput` receives everything, so nothing is collected.
        maxBytes: 0,
        onOutput: (text) => output.push(text),
      }),
    );
    const limit = originOf(timeout, limits.defaultMs);
    const end = { ...result, stopped: context.abort.aborted && result.killed, timeoutMs, limit, mostMs: limits.mostMs };
    return {
      title: description,
      metadata: { ...endOf(result), description },
      output: exitLine(output.end(), { ...end, shell: shell.name }),
    };
  },
});

/** Where the time limit of a command comes from. */
function originOf(timeout: number | undefined, defaultMs: number): string {
  if (timeout !== undefined) return 'the "timeout" of this call';
  return defaultMs === LIMITS.defaultMs ? "the default" : 'the default in the settings ("defaultMs")';
}

/** Runs work in the permitted folder, even if its path is replaced meanwhile. */
async function inFolder<T>(
  workdir: string | undefined,
  context: Tool.Context,
  work: (cwd: string) => Promise<T>,
): Promise<T> {
  const path = absolute(workdir ?? ".", context.directory);
  if (workdir === undefined) return work(path);
  await mustBeFolder(path, workdir);
  const folder = await pinFolder(path, await guardFor("read", path, context));
  try {
    return await work(folder.path);
  } finally {
    await folder.close();
  }
}

function endOf({ code, signal, timedOut, leftRunning }: ProcessResult): Record<string, unknown> {
  return {
    exit: code,
    ...(signal === null ? {} : { signal }),
    ...(timedOut ? { timedOut } : {}),
    ...(leftRunning ? { leftRunning } : {}),
  };
}

function refuseTooMuch(command: string, timeoutMs: number, limits: typeof LIMITS): void {
  if (timeoutMs > limits.mostMs) {
    throw new ToolError(
      "failed",
      `"timeout" is ${timeoutMs}, and a command may run for at most ${limits.mostMs} ms. Send that or less. Start longer commands in the background with their output in a file: command > out.log 2>&1 &`,
    );
  }
  const bytes = Buffer.byteLength(command);
  if (bytes <= limits.commandBytes) return;
  throw new ToolError(
    "failed",
    `The command has ${bytes} bytes, and at most ${limits.commandBytes} can be passed on. Write the long part to a file with write, and use that.`,
  );
}

async function mustBeFolder(folder: string, workdir: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  const what = found ? `"${workdir}" is not a folder` : `There is no folder "${workdir}"`;
  throw new ToolError(
    "failed",
    `${what}. Send a "workdir" that exists, or leave it out to run in the current directory.`,
  );
}
