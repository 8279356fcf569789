import type { ConfiguredHook } from "../config/settings.ts";
import { toPlain } from "../core/plain-result.ts";
import type { ToolResult } from "../core/result.ts";
import { matchText } from "../core/wildcard.ts";
import type { StartOptions } from "../discovery/start-options.ts";
import { findSh } from "../process/find-program.ts";
import type { ProcessResult } from "../process/run-process.ts";
import type { CallHook, HookCall } from "./hook-answer.ts";

/** What a hook may write, and how much of what it says on stderr is passed on. */
const MAX_BYTES = 1_000_000;
const MAX_REASON = 2_000;
/** With this exit code a hook says no, and on stderr why. */
const REFUSED = 2;

/** The hooks of the settings that are about a tool. */
export function settingsHooks(
  hooks: readonly ConfiguredHook[],
  tool: string,
  at: { startOptions(): StartOptions },
): CallHook[] {
  if (hooks.length === 0) return [];
  return hooks
    .filter((hook) => matchText(hook.tool, tool))
    .map((hook) => ({
      name: `${JSON.stringify(wordsOf(hook))} in ${hook.from}`,
      ask: (call, result, signal) => askCommand(hook, call, result, { ...at.startOptions(), signal }),
    }));
}

function wordsOf({ command }: ConfiguredHook): string {
  return typeof command === "string" ? command : command.join(" ");
}

/** Runs the command with what happens as JSON on stdin; its answer is JSON on stdout, or nothing. */
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
  const { runProcess } = await import("../process/run-process.ts");
  const ended = await runProcess(program, args, { ...options, timeoutMs, input, maxBytes: MAX_BYTES });
  if (ended.code === REFUSED && !ended.killed) {
    const reason = ended.stderr.trim().slice(0, MAX_REASON) || "A hook said no without a reason.";
    return result ? { error: reason } : { refuse: reason };
  }
  if (ended.code !== 0) throw new Error(whyNot(ended, timeoutMs));
  if (ended.truncated) throw new Error(`it wrote more than ${MAX_BYTES} bytes`);
  return parsed(ended.stdout.trim());
}

/** What `run --json` prints, without what is said about the call beside its output. */
function toJson(result: ToolResult): unknown {
  const { notes: _, ...told } = toPlain(result);
  return told;
}

function whyNot({ code, signal, timedOut, stderr }: ProcessResult, timeoutMs: number | undefined): string {
  if (timedOut) return `it did not answer within ${(timeoutMs ?? 0) / 1000} s`;
  if (code === null) return `it was ended by ${signal ?? "a signal"}`;
  const said = stderr.trim().slice(0, MAX_REASON);
  return `it ended with exit code ${code}${said === "" ? "" : `: ${said}`}`;
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    const start = text.length > 100 ? `${text.slice(0, 100)}…` : text;
    throw new Error(`it wrote something that is not JSON: ${JSON.stringify(start)}`);
  }
}
