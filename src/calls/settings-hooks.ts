import type { StartOptions } from "../catalog/discovery/start-options.ts";
import { toPlain } from "../core/plain-result.ts";
import type { ToolResult } from "../core/result.ts";
import { findSh } from "../platform/processes/find-program.ts";
import type { ProcessResult } from "../platform/processes/run-process.ts";
import { matchText } from "../platform/text/wildcard.ts";
import type { ConfiguredHook } from "../settings/settings.ts";
import type { ActiveHooks } from "./call.ts";
import type { CallHook, HookCall } from "./hook-answer.ts";

/** The limits of what a hook may write to stdout, and of the reason that is taken from its stderr. */
const MAX_BYTES = 1_000_000;
const MAX_REASON = 2_000;
/** With this exit code a hook refuses. Its stderr is the reason. */
const REFUSED = 2;

/** The hooks in the settings whose pattern matches the tool. */
export function settingsHooks(
  hooks: readonly ConfiguredHook[],
  tool: string,
  at: Pick<ActiveHooks, "start">,
): CallHook[] {
  if (hooks.length === 0) return [];
  return hooks
    .filter((hook) => matchText(hook.tool, tool))
    .map((hook) => ({
      name: `${JSON.stringify(commandText(hook))} in ${hook.from}`,
      ask: (call, result, signal) => at.start((options) => askCommand(hook, call, result, { ...options, signal })),
    }));
}

function commandText({ command }: ConfiguredHook): string {
  return typeof command === "string" ? command : command.join(" ");
}

/** Runs the command with the event as JSON on stdin. It answers with JSON on stdout, or with nothing. */
async function askCommand(
  { command, timeoutMs }: ConfiguredHook,
  call: HookCall,
  result: ToolResult | undefined,
  options: StartOptions & { readonly signal: AbortSignal },
): Promise<unknown> {
  const [program = "", ...args] =
    typeof command === "string" ? [findSh(options.env, call.worktree), "-c", command] : command;
  const event = result ? { event: "after", ...call, result: toJson(result) } : { event: "before", ...call };
  const input = JSON.stringify(event);
  const { runProcess } = await import("../platform/processes/run-process.ts");
  const ended = await runProcess(program, args, { ...options, timeoutMs, input, maxBytes: MAX_BYTES });
  if (ended.code === REFUSED && !ended.killed) {
    const reason = ended.stderr.trim().slice(0, MAX_REASON) || "A hook refused it without a reason.";
    return result ? { error: reason } : { refuse: reason };
  }
  if (ended.code !== 0) throw new Error(exitReason(ended, timeoutMs));
  if (ended.truncated) throw new Error(`it wrote more than ${MAX_BYTES} bytes`);
  return parseAnswer(ended.stdout.trim());
}

/** The JSON that `run --json` prints, without the notes. */
function toJson(result: ToolResult): unknown {
  const { notes: _, ...plain } = toPlain(result);
  return plain;
}

function exitReason({ code, signal, timedOut, stderr }: ProcessResult, timeoutMs: number | undefined): string {
  if (timedOut) return `it did not answer within ${(timeoutMs ?? 0) / 1000} s`;
  if (code === null) return `it was terminated by ${signal ?? "a signal"}`;
  const output = stderr.trim().slice(0, MAX_REASON);
  return `it exited with code ${code}${output === "" ? "" : `: ${output}`}`;
}

function parseAnswer(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    const start = text.length > 100 ? `${text.slice(0, 100)}…` : text;
    throw new Error(`it wrote invalid JSON: ${JSON.stringify(start)}`);
  }
}
