import type { CallRequest, Run } from "../../../calls/call.ts";
import { trustProject } from "../../../catalog/discovery/trusted-projects.ts";
import type { ToolInfo } from "../../../catalog/registry/registry-entry.ts";
import { mayDefine } from "../../../catalog/registry/resolve-names.ts";
import { toPlain } from "../../../core/plain-result.ts";
import { type ToolResult, textOf } from "../../../core/result.ts";
import type { Format } from "../../../core/tool.ts";
import { defined } from "../../../platform/values/defined.ts";
import { recordingProblem, SHARED_SESSION_ID } from "../../../sessions/log/session-id.ts";
import { attachmentLine } from "../../../toolbox/attachment-line.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import { type Command, type Invocation, isSet, optionValue } from "../args/command.ts";
import { readInput } from "../args/read-input.ts";
import { UsageError } from "../args/usage-error.ts";
import { onInterrupt } from "../interrupt.ts";
import { findMisplaced } from "../misplaced.ts";
import { coloured, printable, printJson, shownPath, styled } from "../output/print.ts";
import { ProgressLines } from "../output/progress-lines.ts";
import { StatusLine } from "../output/status-line.ts";
import type { Output } from "../output/terminal.ts";
import { wrapped } from "../output/wrap.ts";
import { askYesNo, canAsk, terminalApprover } from "../prompt.ts";
import { withToolbox } from "../with-toolbox.ts";

/** `toolwright run NAME`. */
export const run: Command = {
  spec: {
    usage: "toolwright run NAME [--FIELD VALUE]... [options]",
    about: `Calls a tool. Its result goes to stdout, its progress and logs to stderr.

Pass the input as fields (--filePath a.ts), as JSON (--input '{"filePath":"a.ts"}'), as both (fields override), or as JSON
on stdin. Repeat a field for a list (--tag a --tag b). A boolean needs no value (--fix, --no-fix). --outer.inner VALUE
sets a field of an object. After "--" every option is a field, even one with the name of an option below.

With --session ID, the call, its result and what tools store for the session are kept on disk, for later commands with the
same ID in this project. See "toolwright help sessions".

Exit code: 0 success, 1 the call failed, 2 unknown tool or invalid input.`,
    options: {
      input: { type: "string", value: "JSON", help: 'Input as a JSON object; "-" reads it from stdin' },
      timeout: { type: "string", value: "MS", help: "Stop the call after MS milliseconds" },
      session: { type: "string", value: "ID", help: "Session of the call, kept between commands" },
      quiet: { type: "boolean", short: "q", help: "Print no progress and no logs of the tool" },
    },
    positionals: [1, 1],
    takesFields: true,
    examples: [
      "toolwright run hello --name World",
      `toolwright run hello --input '{"name":"World"}' --json`,
      `echo '{"name":"World"}' | toolwright run hello`,
      "toolwright run todoread --session refactoring",
    ],
  },
  run: runCommand,
};

async function runCommand(invocation: Invocation): Promise<number> {
  const sessionID = readSession(invocation);
  const approve = terminalApprover(invocation, sessionID);
  const options = {
    tool: nameOf(invocation),
    ...(approve ? { approve } : {}),
    ...(sessionID === undefined ? {} : { sessions: "disk" as const }),
  };
  const timeoutMs = readTimeout(invocation);
  const attempt = async (toolbox: Toolbox): Promise<number | "trusted"> =>
    (await becomesTrusted(toolbox, invocation)) ? "trusted" : perform(toolbox, invocation, timeoutMs);
  const outcome = await withToolbox(invocation, attempt, options);
  // Opens the toolbox again, because settings of the project now apply to its hosts.
  if (outcome !== "trusted") return outcome;
  return withToolbox(invocation, (toolbox) => perform(toolbox, invocation, timeoutMs), options);
}

function readTimeout(invocation: Invocation): number | undefined {
  const text = optionValue(invocation, "timeout");
  if (text === undefined) return undefined;
  const ms = Number(text);
  if (text.trim() !== "" && ms > 0 && Number.isFinite(ms)) return ms;
  throw new UsageError(`--timeout takes a number of milliseconds above 0, not "${text}".`);
}

function readSession(invocation: Invocation): string | undefined {
  const id = optionValue(invocation, "session");
  const problem = id === undefined ? undefined : recordingProblem(id);
  if (problem !== undefined) throw new UsageError(`--session ${problem}.`);
  return id;
}

/** Asks for trust if the project of the tool is not trusted; true if the user agrees. */
async function becomesTrusted(toolbox: Toolbox, invocation: Invocation): Promise<boolean> {
  const name = nameOf(invocation);
  if (!canAsk(invocation) || toolbox.status.blocked.length === 0 || toolbox.get(name)) return false;
  const probe = await toolbox.call({ name, caller: "cli" }).result;
  // "denied" for an unlisted tool means that its project is not trusted.
  if (probe.ok || probe.error.code !== "denied") return false;
  const { root } = toolbox.project;
  const question = `"${name}" belongs to ${root}, which is not trusted: its tool files would run with your rights.\nTrust ${root}?`;
  if (!(await askYesNo(invocation.terminal, question))) return false;
  await trustProject(root, toolbox.project.homes.toolwrightHome);
  return true;
}

async function perform(toolbox: Toolbox, invocation: Invocation, timeoutMs: number | undefined): Promise<number> {
  const name = nameOf(invocation);
  const tool = await toolbox.find(name);
  const sessionID = readSession(invocation);
  const input = tool?.enabled ? await readInput(invocation, tool.inputSchema) : undefined;
  if (tool?.enabled && sessionID !== undefined) {
    await toolbox.sessions.open(sessionID, { directory: invocation.globals.cwd });
  }
  const request: CallRequest = {
    name,
    caller: "cli",
    ...defined({ input, sessionID, timeoutMs }),
  };
  const { callID, result } = await follow(toolbox, request, invocation);
  if (!result.ok && result.error.code === "unknown_tool") sayMisplaced(name, toolbox, invocation);
  if (invocation.globals.json) {
    printJson(invocation.terminal, toPlain(result));
    return exitCode(result);
  }
  const owner = { sessionID: sessionID ?? SHARED_SESSION_ID, callID };
  const attachments = result.content.filter((part) => part.type !== "text");
  const lines = await Promise.all(attachments.map((part) => attachmentLine(toolbox, part, owner)));
  printResult(result, lines, invocation);
  printNotes(result, tool, invocation);
  return exitCode(result);
}

function nameOf({ positionals }: Invocation): string {
  return positionals[0] ?? "";
}

/** Makes the call and shows its progress. */
async function follow(
  toolbox: Toolbox,
  request: CallRequest,
  invocation: Invocation,
): Promise<{ callID: string; result: ToolResult }> {
  const { stderr } = invocation.terminal;
  const isQuiet = isSet(invocation, "quiet");
  const status = new StatusLine(stderr);
  const stopLog = toolbox.on("log", ({ text }) => {
    if (isQuiet) return;
    status.clear();
    stderr.report(shownBy(stderr, text));
  });
  const call = toolbox.call(request);
  const stopInterrupt = onInterrupt(
    () => {
      call.abort();
      return call.result;
    },
    () => toolbox.close(),
  );
  try {
    if (!isQuiet) await showUpdates(call, new ProgressLines(status, stderr.isTTY));
    return { callID: call.callID, result: await call.result };
  } finally {
    stopInterrupt();
    stopLog();
    status.clear();
  }
}

async function showUpdates(call: Run, progress: ProgressLines): Promise<void> {
  let text = "";
  for await (const event of call) {
    if (event.type === "tool.update") progress.add(event);
    else if ("result" in event) text = textOf(event.result.content);
  }
  progress.end(text);
}

/** `attachments` are lines with the locations of images and files. */
function printResult(result: ToolResult, attachments: readonly string[], { terminal }: Invocation): void {
  const { stdout, stderr } = terminal;
  const text = textOf(result.content);
  const repeats = !result.ok && text === result.error.message;
  if (text !== "" && !repeats) stdout.write(shownBy(stdout, text.endsWith("\n") ? text : `${text}\n`));
  for (const line of attachments) stderr.write(`${printable(line)}\n`);
  if (!result.ok) {
    const failure = `${styled(stderr, "red", "error:")} ${printable(result.error.message)}`;
    stderr.write(`${wrapped(failure, stderr.columns).join("\n")}\n`);
  }
}

const MAX_MISPLACED = 3;

/** The tool may be in a file that is not in a tools folder. */
function sayMisplaced(name: string, toolbox: Toolbox, invocation: Invocation): void {
  const { stderr } = invocation.terminal;
  const all = findMisplaced(invocation, toolbox);
  const named = all.filter(({ file }) => mayDefine(file, name));
  for (const { file, fix } of (named.length > 0 ? named : all).slice(0, MAX_MISPLACED)) {
    const label = styled(stderr, "yellow", "warning:");
    const what = `${shownPath(file, invocation.globals.cwd)} looks like a tool, but is not in a tools folder.`;
    stderr.write(`${label} ${what} Move it: ${printable(fix)}\n`);
  }
}

/** What the author of the tool should know: where it threw, why, and that it returned nothing. */
function printNotes({ notes, ...result }: ToolResult, tool: ToolInfo | undefined, invocation: Invocation): void {
  const { stderr } = invocation.terminal;
  const { thrownAt, causes = [], returnedNothing } = notes;
  for (const cause of causes) stderr.write(`  caused by: ${printable(cause)}\n`);
  const isNamed = !result.ok && thrownAt !== undefined && result.error.message.includes(thrownAt.replace(/:\d+$/, ""));
  if (thrownAt !== undefined && !isNamed) stderr.write(`  at ${shownPath(thrownAt, invocation.globals.cwd)}\n`);
  if (!result.ok || !returnedNothing || tool === undefined || tool.source === "builtin") return;
  const file = shownPath(tool.file, invocation.globals.cwd);
  const question = `The tool returned nothing. Did its ${FUNCTIONS[tool.format] ?? "execute"}() forget to \`return\`? ${file}`;
  stderr.write(`${styled(stderr, "yellow", "warning:")} ${question}\n`);
}

/** The name of the function that runs a tool, where it is not `execute`. */
const FUNCTIONS: Readonly<Partial<Record<Format, string>>> = { sdk: "handler", langchain: "func" };

/** Removes control sequences for a terminal, except colours. */
function shownBy(output: Output, text: string): string {
  return output.isTTY ? coloured(text) : text;
}

function exitCode(result: ToolResult): number {
  if (result.ok) return 0;
  return result.error.code === "unknown_tool" || result.error.code === "invalid_input" ? 2 : 1;
}
