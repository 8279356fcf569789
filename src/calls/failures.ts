import { ToolError, type ToolErrorCode } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";
import type { Content, ToolResult } from "../core/result.ts";
import type { Issue } from "../core/schema.ts";
import { type FileUnavailable, isTimeout, NOT_STARTED } from "../host/protocol/hosts.ts";
import { invalidInputText } from "../host/protocol/invalid-input.ts";
import { isObject } from "../platform/values/is-object.ts";

/** The result of a failed call. The recorder fills in the duration. */
export function failure(
  code: ToolErrorCode,
  message: string,
  { content = [], ...more }: { data?: unknown; content?: readonly Content[]; cause?: unknown } = {},
): ToolResult & { ok: false } {
  return { ok: false, error: new ToolError(code, message, more), content, notes: { durationMs: 0 } };
}

export function invalidInput(name: string, issues: readonly Issue[]): ToolResult & { ok: false } {
  return failure("invalid_input", invalidInputText(name, issues), { data: { issues } });
}

/** The result of a tool whose output does not match its declaration. The content stays. */
export function invalidOutput(
  name: string,
  issues: readonly Issue[],
  content: readonly Content[],
): ToolResult & { ok: false } {
  const lines = issues.map(({ path, message }) => `- ${path === "" ? "output" : path}: ${message}`);
  const message = `"${name}" has run, but its output does not match the output that it declares:\n${lines.join("\n")}\nThis is a bug in the tool: fix the declared output, or what the tool returns.`;
  return failure("invalid_output", message, { data: { issues }, content });
}

/** The result of a call whose input took too long to check. Without `parts`, which part of the tool is slow is unknown. */
export function slowInput(name: string, parts: readonly string[] = []): ToolResult & { ok: false } {
  const what =
    parts.length === 0 ? "The schema, or the function that declares the access," : `Its schema (${parts.join(", ")})`;
  const message = `"${name}" was stopped while its input was checked, and has not run. ${what} takes too long for this input. Call it with a shorter or simpler input; the author of the tool must correct the schema.`;
  return failure("timeout", message);
}

/** The result of a tool whose output took too long to check. The content stays. */
export function slowOutput(
  name: string,
  parts: readonly string[],
  content: readonly Content[],
): ToolResult & { ok: false } {
  const message = `"${name}" has run, but the check of its output was stopped: the output that it declares (${parts.join(", ")}) takes too long to check for this result. This is a bug in the tool: fix the declared output.`;
  return failure("invalid_output", message, { content });
}

/** The result of a call whose signal fired: cancelled, out of time, or never started. `limits` are those of the tool. */
export function stopped(
  {
    name,
    signal,
    timeoutMs,
    limits = { timeoutMs },
  }: { name: string; signal: AbortSignal; timeoutMs: number; limits?: { timeoutMs: number } },
  content: readonly Content[] = [],
): ToolResult & { ok: false } {
  if (signal.reason === NOT_STARTED) return notStarted(name);
  if (!isTimeout(signal)) return failure("aborted", `The call of "${name}" was cancelled.`, { content });
  const [whose, where] =
    timeoutMs === limits.timeoutMs
      ? ["its time limit", '"timeoutMs" in the settings']
      : ["the time limit that this call set", '"timeoutMs" of the call, --timeout of toolwright run'];
  const message = `"${name}" was stopped after ${timeoutMs / 1000} s, ${whose}. Ask it for less, or give it more time (${where}).`;
  return failure("timeout", message, { content });
}

export function crashed(name: string, reason: string, content: readonly Content[] = []): ToolResult & { ok: false } {
  const message = `The process that ran "${name}" ended before the call did: ${reason.replace(/\.$/, "")}. A new process is started for the next call; try again only if the tool is safe to repeat.`;
  return failure("crashed", message, { content });
}

/** The result of a call that no host process started. */
export function notStarted(name: string): ToolResult & { ok: false } {
  const next = "Call it again; if that fails too, run `toolwright doctor`.";
  return failure("crashed", `No process could be started to run "${name}", or none answered. ${next}`);
}

/** A call that a person, a rule or a hook refused. */
export function notAllowed(name: string, reason: string, data?: unknown): ToolResult & { ok: false } {
  return failure("denied", `"${name}" was not allowed to run. ${reason}`, { data });
}

/** The data of a refusal that was given only because no person could be asked: a rule that allows the tool lets the call run. */
export const ALLOWABLE = { allowable: true } as const;

export function isAllowable({ data }: { readonly data?: unknown }): boolean {
  return isObject(data) && data.allowable === true;
}

/** A result that a hook failed to process is withheld: the hook may exist to remove secrets. */
export function resultWithheld(name: string, hook: string, why: string): ToolResult & { ok: false } {
  return failure(
    "failed",
    `"${name}" has run, but the hook ${hook} failed on its result, which is therefore not shown: ${why}. Try again only if the tool is safe to repeat.`,
  );
}

/** The result of a call whose tool file changed after the call was made, or no longer loads. */
export function toolUnavailable(name: string, { problem }: FileUnavailable): ToolResult & { ok: false } {
  if (!problem) return failure("failed", `The file of "${name}" has changed since the call was made. Call it again.`);
  return failure("failed", `"${name}" cannot run. ${placeOf(problem)}: ${problem.message}`);
}

/** The location of a problem as `file:line:column`, as far as they are known. */
export function placeOf({ file, line, column }: Problem): string {
  if (line === undefined) return file;
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}
