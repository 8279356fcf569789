import { messageOf } from "../../core/error.ts";
import { SessionError, type SessionErrorCode } from "../../core/session-store.ts";
import { printableJson } from "../../platform/text/printable.ts";
import type { Invocation } from "./args/command.ts";
import { parseArguments, splitCommand } from "./args/parse-arguments.ts";
import { didYouMean, UsageError } from "./args/usage-error.ts";
import { COMMANDS, type CommandEntry } from "./commands.ts";
import { indented, printJson } from "./output/print.ts";
import { processTerminal, type Terminal } from "./output/terminal.ts";

/** Runs one command line and sets the exit code: 0 success, 1 failure, 2 wrong usage. Never rejects. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const terminal = processTerminal();
  const code = await dispatch(argv, terminal).catch((error: unknown) =>
    report(error, wantsJson(argv), answerOf(argv), terminal),
  );
  // Set already if stdout could not be written.
  process.exitCode ||= code;
  if (terminal.stderr.unread > 0) exitWithUnreadStderr();
}

const UNREAD_MS = 2_000;

/** Exits after stdout is written, even if stderr is not read. */
function exitWithUnreadStderr(): void {
  setInterval(() => process.stdout.writableLength === 0 && process.exit(), UNREAD_MS).unref();
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { name, rest } = splitCommand(argv);
  if (name === undefined || name === "help") return help(rest, terminal);
  const command = await find(name).load();
  const invocation = parseArguments(command.spec, rest, terminal);
  if (invocation.values.help !== true) return command.run(invocation);
  const { commandHelp } = await import("./help.ts");
  return print(commandHelp(command.spec, terminal.stdout.columns), invocation.globals, terminal);
}

async function help(args: readonly string[], terminal: Terminal): Promise<number> {
  const { commandHelp, generalHelp, HELP } = await import("./help.ts");
  const { positionals, globals } = parseArguments(HELP, args, terminal);
  const [name] = positionals;
  const { columns } = terminal.stdout;
  const isGeneral = name === undefined || name === "help";
  const text = isGeneral ? generalHelp(columns) : commandHelp((await find(name).load()).spec, columns);
  return print(text, globals, terminal);
}

function print(text: string, { json }: Invocation["globals"], terminal: Terminal): number {
  if (json) printJson(terminal, { help: text });
  else terminal.stdout.write(text);
  return 0;
}

function find(name: string): CommandEntry {
  const command = COMMANDS.find((each) => each.name === name);
  if (command) return command;
  const names = COMMANDS.map((each) => each.name);
  const hint = didYouMean(name, [...names, "help"], `Commands: ${names.join(", ")}.`);
  throw new UsageError(`Unknown command "${name}". ${hint}`);
}

function report(error: unknown, json: boolean, kind: CommandEntry["answers"], { stdout, stderr }: Terminal): number {
  const isUsage = error instanceof UsageError || (SessionError.is(error) && WRONG_USE.has(error.code));
  const message = messageOf(error);
  const hasCode = error instanceof UsageError || (SessionError.is(error) && kind !== "call");
  const failure = { code: hasCode ? error.code : "failed", message };
  if (json) stdout.write(`${printableJson(failureAnswer(failure, kind))}\n`);
  else stderr.write(`${indented(`toolwright: ${message}`, "", stderr.columns).join("\n")}\n`);
  return isUsage ? 2 : 1;
}

function failureAnswer(error: { code: string; message: string }, kind: CommandEntry["answers"]): object {
  if (kind === "event") return { type: "session.error", ...error };
  // The JSON of a call has the same fields for every kind of failure.
  if (kind === "call") return { ok: false, output: error.message, content: [], error, notes: { durationMs: 0 } };
  return { error };
}

/** The refusals of a session store that the arguments are the reason for. */
const WRONG_USE: ReadonlySet<SessionErrorCode> = new Set([
  "session_not_found",
  "session_exists",
  "invalid_session_id",
  "invalid_position",
]);

function answerOf(argv: readonly string[]): CommandEntry["answers"] {
  try {
    const { name } = splitCommand(argv);
    return COMMANDS.find((command) => command.name === name)?.answers;
  } catch {
    return undefined;
  }
}

/** Works on unparsed arguments, because an error in them is reported as JSON too. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}
