import { messageOf } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import type { OutputLimits } from "../protocol/messages.ts";
import type { Call, Step } from "./call.ts";
import { failure, stopped } from "./failures.ts";
import { fromHooked, toHooked } from "./file-hooks.ts";
import { patchOf, toAfterAnswer, toBeforeAnswer } from "./hook-answer.ts";

/** A call as the hooks of settings and of code see it. */
export interface HookCall {
  readonly tool: string;
  readonly input: unknown;
  readonly callID: string;
  readonly sessionID: string;
  readonly agent: string;
  readonly directory: string;
  readonly worktree: string;
}

/** Somebody who has a say in calls, wherever they come from. */
export interface CallHook {
  /** Goes on after "The hook". */
  readonly name: string;
  /**
   * What it says of a call, and of its result once there is one. May reject, and answer with anything: that is a failure of
   * the hook. Must end soon after the signal has fired.
   */
  ask(call: HookCall, result: ToolResult | undefined, signal: AbortSignal): Promise<unknown>;
}

/** Who is asked about the calls of a tool, in that order. */
export interface CallHooks {
  readonly before: (tool: string) => readonly CallHook[];
  readonly after: (tool: string) => readonly CallHook[];
  readonly outputLimits: (call: Call) => OutputLimits;
}

/** Lets hooks change or refuse a call before it is checked. One that cannot say what it thinks of it refuses it. */
export function createHooksBefore({ before }: CallHooks): Step {
  return (call, next) => {
    const hooks = before(call.name);
    return hooks.length === 0 ? next(call) : askBefore(call, hooks, next);
  };
}

async function askBefore(given: Call, hooks: readonly CallHook[], next: Parameters<Step>[1]): Promise<ToolResult> {
  let call = given;
  for (const hook of hooks) {
    const seenCall = seen(call);
    const said = await attempt(call, async ({ signal }) => toBeforeAnswer(await hook.ask(seenCall, undefined, signal)));
    if (call.signal.aborted) return stopped(call);
    const refusal = "failed" in said ? failedWords(hook, said.failed) : said.refuse;
    if (refusal !== undefined) return failure("denied", `"${call.name}" was not allowed to run. ${refusal}`);
    if ("input" in said && said.input !== undefined) call = { ...call, input: said.input };
  }
  return next(call);
}

/** Lets hooks change the result of a call that has run, well or not. */
export function createHooksAfter(hooks: CallHooks): Step {
  return (call, next) => (hooks.after(call.name).length === 0 ? next(call) : askAfter(call, hooks, next));
}

async function askAfter(call: Call, hooks: CallHooks, next: Parameters<Step>[1]): Promise<ToolResult> {
  let result = await next(call);
  // An input that would not do has not come to the tool.
  if (!result.ok && result.error.code === "invalid_input") return result;
  for (const hook of hooks.after(call.name)) {
    // What it had shown before it was stopped, no hook has looked at.
    if (call.signal.aborted) return stopped(call);
    const given = result;
    const said = await attempt(call, async ({ signal }) => toAfterAnswer(await hook.ask(seen(call), given, signal)));
    if (call.signal.aborted) return stopped(call);
    if ("failed" in said) return unseen(call, hook, said.failed);
    if (Object.keys(said).length > 0) result = await changed(call, result, patchOf(said), hooks);
  }
  return result;
}

function seen({ name, input, context }: Call): HookCall {
  const { callID, sessionID, agent, directory, worktree } = context;
  return { tool: name, input, callID, sessionID, agent, directory, worktree };
}

/** The time that a hook takes counts as time of the call. */
async function attempt<T extends object>(
  call: Call,
  work: (call: Call) => Promise<T>,
): Promise<T | { readonly failed: string }> {
  call.clock.start();
  try {
    return await work(call);
  } catch (error) {
    return { failed: messageOf(error).replace(/\.$/, "") };
  } finally {
    call.clock.stop();
  }
}

function failedWords({ name }: CallHook, why: string): string {
  return `The hook ${name} failed: ${why}. Correct the hook, or take it out.`;
}

/** A hook may be there to take out what nobody should see: what it has not looked at is not shown. */
function unseen({ name }: Call, hook: CallHook, why: string): ToolResult {
  return failure(
    "failed",
    `"${name}" has run, but the hook ${hook.name} failed to look at its result, which is therefore not shown: ${why}. Try again only if the tool is safe to repeat.`,
  );
}

/** What a failed call had shown before is part of what the hook has replaced. */
async function changed(
  call: Call,
  result: ToolResult,
  patch: ReturnType<typeof patchOf>,
  { outputLimits }: CallHooks,
): Promise<ToolResult> {
  const { boundedPatch } = await import("../output/bounded-result.ts");
  const { changes, truncated } = boundedPatch(patch, outputLimits(call), call.context);
  const { data: _, ...rest } = toHooked(result);
  const kept = patch.data === undefined && result.data !== undefined ? { data: result.data } : {};
  const next = { ...rest, ...kept, ...changes };
  if (next.data === null) delete next.data;
  return fromHooked(next, truncated, patch.content && !result.ok ? { ...result, content: [] } : result);
}
