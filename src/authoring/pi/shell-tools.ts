import { existsSync } from "node:fs";
import { constants } from "node:os";
import { ToolError } from "../../core/error.ts";
import { textOf } from "../../core/result.ts";
import type { InnerResult } from "../../core/tool.ts";
import { defined } from "../../platform/values/defined.ts";
import { callingTool } from "./calling-tool.ts";
import { Type } from "./lazy-typebox.ts";
import { OutputTail } from "./output-tail.ts";
import { type Execution, type PiResult, type PiTool, piTool, resolvePiPath, textResult } from "./pi-tool.ts";
import { unavailable } from "./stand-in.ts";
import { DEFAULT_MAX_BYTES, formatSize, type TruncationResult } from "./truncate-text.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface ExecOptions {
  readonly onData: (data: Buffer) => void;
  readonly signal?: AbortSignal | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
  readonly env?: Environment | undefined;
}

/** Runs the commands of the tool `bash` of pi. `exec` rejects with the messages that pi defines: `aborted`, and `timeout:SECONDS`. */
export interface BashOperations {
  exec(command: string, cwd: string, options: ExecOptions): Promise<{ exitCode: number | null }>;
}

interface SpawnContext {
  command: string;
  cwd: string;
  env: Environment;
}

export interface BashToolOptions {
  readonly operations?: BashOperations;
  readonly commandPrefix?: string;
  readonly spawnHook?: (context: SpawnContext) => SpawnContext;
  readonly shellPath?: string;
}

interface BashParameters {
  readonly command: string;
  readonly timeout?: number;
}

export function createBashTool(cwd?: string, options: BashToolOptions = {}): PiTool {
  return piTool<BashParameters>(cwd, {
    name: "bash",
    description:
      "Execute a bash command in the current working directory. Returns stdout and stderr. Long output is truncated; the full output is then saved to a file. Optionally provide a timeout in seconds.",
    promptSnippet: "Execute bash commands (ls, grep, find, etc.)",
    parameters: Type.Object({
      command: Type.String({ description: "Shell command to execute" }),
      timeout: Type.Optional(Type.Number({ description: "Timeout in seconds (optional)" })),
    }),
    shown: "command",
    execute: ({ command, timeout }, execution) => {
      const whole = options.commandPrefix ? `${options.commandPrefix}\n${command}` : command;
      const plain = { command: whole, cwd: execution.cwd, env: { ...process.env } };
      const spawned = options.spawnHook?.(plain) ?? plain;
      if (options.operations) return runOver(options.operations, spawned, timeout, execution);
      return runBuiltin(spawned, { timeout, shellPath: options.shellPath }, execution);
    },
  });
}

export const createBashToolDefinition: typeof createBashTool = createBashTool;

/** Toolwright has no tool for PowerShell, so its commands need operations of the file. */
export function createPowerShellTool(cwd?: string, options: BashToolOptions = {}): PiTool {
  const tool = createBashTool(cwd, options);
  const fail = unavailable('The built-in tool "powershell" of pi');
  return {
    ...tool,
    name: "powershell",
    label: "powershell",
    description: tool.description.replace("bash", "PowerShell"),
    execute: async (...args) => (options.operations ? tool.execute(...args) : fail()),
  };
}

export const createPowerShellToolDefinition: typeof createPowerShellTool = createPowerShellTool;

/** Runs commands with the built-in tool `bash`. The output arrives when a command has ended. */
export function createLocalBashOperations(options: { readonly shellPath?: string } = {}): BashOperations {
  return {
    exec: async (command, cwd, { onData, signal, timeout, env = process.env }) => {
      const call = callingTool("bash");
      const input = builtinInput({ command, cwd, env }, { timeout, ...options }, call.directory);
      const result = await call.callBuiltin("bash", input, { signal });
      const end = endOf(result);
      if (!result.ok && end.exit === undefined) {
        throw result.code === "aborted" ? new Error("aborted") : new ToolError(result.code, result.message);
      }
      onData(Buffer.from(end.output));
      if (end.timedOut) throw new Error(`timeout:${timeout ?? DEFAULT_TIMEOUT_SECONDS}`);
      return { exitCode: end.exit ?? null };
    },
  };
}

/** The program and the arguments that run a command. */
export function getShellConfig(shellPath?: string): { shell: string; args: string[] } {
  const shell = shellPath ?? ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"].find(existsSync) ?? "sh";
  return { shell, args: ["-c"] };
}

const DEFAULT_TIMEOUT_SECONDS = 120;
const MAX_TIMEOUT_MS = 600_000;

async function runBuiltin(
  spawned: SpawnContext,
  options: { timeout: number | undefined; shellPath: string | undefined },
  execution: Execution,
): Promise<PiResult> {
  const { onUpdate, directory } = execution;
  onUpdate?.({ content: [], details: undefined });
  const result = await execution
    .run("bash", builtinInput(spawned, options, directory), {
      onUpdate: ({ metadata }) => {
        if (typeof metadata?.output === "string") onUpdate?.(textResult(metadata.output));
      },
    })
    .catch((error: unknown) => {
      if (ToolError.is(error) && error.code === "aborted") throw new Error("Command aborted");
      throw error;
    });
  const end = endOf(result);
  if (end.timedOut)
    throw failed(end.output, `Command timed out after ${options.timeout ?? DEFAULT_TIMEOUT_SECONDS} seconds`);
  if (end.exit !== undefined && end.exit !== 0) throw failed(end.output, `Command exited with code ${end.exit}`);
  return textResult(end.output || "(no output)", truncationDetails(result, end.output));
}

function builtinInput(
  { command, cwd, env }: SpawnContext,
  { timeout, shellPath }: { timeout?: number | undefined; shellPath?: string | undefined },
  directory: string,
): object {
  const folder = resolvePiPath(cwd, directory);
  const whole = [...environmentLines(env), command].join("\n");
  return {
    command: shellPath === undefined ? whole : `${quoted(shellPath)} -c ${quoted(whole)}`,
    description: command.trim().split("\n").at(-1)?.slice(0, 80) ?? "",
    ...(timeout === undefined ? {} : { timeout: milliseconds(timeout) }),
    ...(folder === directory ? {} : { workdir: folder }),
  };
}

function milliseconds(seconds: number): number {
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new Error("Invalid timeout: must be a finite number of seconds");
  }
  return Math.min(Math.ceil(seconds * 1000), MAX_TIMEOUT_MS);
}

/** Shell commands that make the changes of a spawn hook to the environment: the built-in tool has no argument for them. */
function environmentLines(env: Environment): string[] {
  const changed = Object.entries(env).filter(([name, value]) => process.env[name] !== value && isName(name));
  const removed = Object.keys(process.env).filter((name) => env[name] === undefined && isName(name));
  return [
    ...changed.flatMap(([name, value]) => (value === undefined ? [] : [`export ${name}=${quoted(value)}`])),
    ...removed.map((name) => `unset ${name}`),
  ];
}

function isName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

interface CommandEnd {
  readonly output: string;
  /** Undefined if the tool did not report it. */
  readonly exit: number | undefined;
  readonly timedOut: boolean;
}

/** The last line of the built-in tool says how the command ended. Pi says it elsewhere. */
const EXIT_LINE =
  /(?<=^|\n)\[(?:no output|timed out after |stopped before it ended|ended by signal |exit code |a process that it started )[^\n]*\]$/;

function endOf({ content, data }: InnerResult): CommandEnd {
  const { exit, signal, timedOut } = Object(data) as { exit?: unknown; signal?: unknown; timedOut?: unknown };
  const killed = typeof signal === "string" ? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0) : undefined;
  return {
    output: textOf(content).replace(EXIT_LINE, ""),
    exit: typeof exit === "number" ? exit : killed,
    timedOut: timedOut === true,
  };
}

function failed(output: string, status: string): Error {
  return new Error(output === "" ? status : `${output}\n\n${status}`);
}

/** The details of pi about an output that was cut. */
function truncationDetails({ truncated }: InnerResult, kept: string): PiResult["details"] {
  if (!truncated) return undefined;
  const outputLines = kept.split("\n").length;
  const truncation: Partial<TruncationResult> = {
    content: kept,
    truncated: true,
    truncatedBy: "bytes",
    totalLines: outputLines + truncated.omittedLines,
    totalBytes: truncated.totalBytes,
    outputLines,
    outputBytes: truncated.keptBytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
  };
  return { truncation, ...defined({ fullOutputPath: truncated.fullOutput }) };
}

/** Runs a command with operations of the file: on another machine, or in a sandbox. No built-in tool is called. */
async function runOver(
  operations: BashOperations,
  { command, cwd, env }: SpawnContext,
  timeout: number | undefined,
  { signal, onUpdate }: Execution,
): Promise<PiResult> {
  const output = new OutputTail();
  let waiting: NodeJS.Timeout | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  const show = (): void => {
    waiting = undefined;
    shownAt = performance.now();
    onUpdate?.(textResult(output.shown));
  };
  const onData = (data: Buffer | string): void => {
    output.push(data);
    const left = shownAt + UPDATE_MS - performance.now();
    if (left <= 0) show();
    else waiting ??= setTimeout(show, left);
  };
  onUpdate?.({ content: [], details: undefined });
  let exitCode: number | null;
  try {
    ({ exitCode } = await operations.exec(command, cwd, { onData, signal, timeout, env }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message === "aborted") throw failed(shownTail(output.end()).text, "Command aborted");
    if (message.startsWith("timeout:")) {
      throw failed(shownTail(output.end()).text, `Command timed out after ${message.slice("timeout:".length)} seconds`);
    }
    throw error;
  } finally {
    clearTimeout(waiting);
  }
  const shown = shownTail(output.end());
  if (exitCode === null) throw failed(shown.text, "Command terminated without an exit code");
  if (exitCode !== 0) throw failed(shown.text, `Command exited with code ${exitCode}`);
  return textResult(shown.text || "(no output)", shown.details);
}

/** The output is shown at most this often while a command runs. */
const UPDATE_MS = 50;

function shownTail(truncation: TruncationResult): { text: string; details: PiResult["details"] } {
  if (!truncation.truncated) return { text: truncation.content, details: undefined };
  const { totalLines, outputLines, truncatedBy } = truncation;
  const limit = truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
  const notice = `[Showing lines ${totalLines - outputLines + 1}-${totalLines} of ${totalLines}${limit}.]`;
  return { text: `${truncation.content}\n\n${notice}`, details: { truncation } };
}
