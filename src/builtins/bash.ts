import { stat } from "node:fs/promises";
import { absolute } from "../files/absolute.ts";
import { Tool, ToolError, tool } from "../index.ts";
import { type ProcessResult, runProcess } from "../process/run-process.ts";
import { asShown } from "./shell/as-shown.ts";
import { withLastLine } from "./shell/last-line.ts";
import { findShell, shellEnvironment } from "./shell/shell.ts";

const z = tool.schema;

/**
 * How long a command may run when nothing is said and at most; how long its text may be; how much of its output is held,
 * beginning and end, and how much of that is shown while it runs.
 */
const LIMITS = {
  defaultMs: 120_000,
  mostMs: 600_000,
  commandBytes: 100_000,
  heldBytes: 5_000_000,
  liveCharacters: 16_000,
};

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
      .describe("After how many milliseconds it is ended. Two minutes when left out, ten at most"),
    workdir: z
      .string()
      .min(1)
      .optional()
      .describe("The folder to run it in, instead of a cd in the command. The current directory when left out"),
  }),
  limits: { timeoutMs: LIMITS.mostMs + 10_000, maxBytes: 30_000, maxLines: 30_000, keep: "both", own: LIMITS },
  hints: { title: "Run a command", readOnly: false, destructive: true, idempotent: false, openWorld: true },
  access: ({ command, workdir }, { cwd }) => [
    { kind: "execute", target: command },
    ...(workdir === undefined ? [] : [{ kind: "read", target: absolute(workdir, cwd), named: true } as const]),
  ],
  async execute({ command, description, timeout, workdir }, context) {
    const limits = { ...LIMITS, ...context.limits.own };
    const timeoutMs = timeout ?? Math.min(limits.defaultMs, limits.mostMs);
    refuseTooMuch(command, timeoutMs, limits);
    const cwd = absolute(workdir ?? ".", context.directory);
    if (workdir !== undefined) await mustBeFolder(cwd, workdir);
    const shell = findShell(process.env);
    let live = "";
    const result = await runProcess(shell.file, shell.argumentsFor(command), {
      cwd,
      env: shellEnvironment(process.env),
      signal: context.abort,
      timeoutMs,
      maxBytes: limits.heldBytes,
      onOutput(text) {
        live = (live + text).slice(-limits.liveCharacters);
        context.metadata({ title: description, metadata: { output: asShown(live.toWellFormed()), description } });
      },
    });
    const end = { ...result, stopped: context.abort.aborted && result.killed, timeoutMs, mostMs: limits.mostMs };
    return {
      title: description,
      metadata: { ...endOf(result), description },
      output: withLastLine(asShown(result.stdout + result.stderr), { ...end, shell: shell.name }),
    };
  },
});

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
      `"timeout" is ${timeoutMs}, and a command may run for at most ${limits.mostMs} ms. Send that or less. What takes longer is started in the background, with its output in a file: command > out.log 2>&1 &`,
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
