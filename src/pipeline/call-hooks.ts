import { messageOf } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import type { Call, Step } from "./call.ts";
import { codeHooks } from "./code-hooks.ts";
import { notAllowed, resultWithheld, stopped } from "./failures.ts";
import { fromHooked, toHooked } from "./file-hooks.ts";
import { type CallHook, type HookCall, patchOf, toAfterAnswer, toBeforeAnswer } from "./hook-answer.ts";
import { settingsHooks } from "./settings-hooks.ts";

/** Lets the hooks of code and of settings change or refuse a call before it is validated. A hook that fails refuses it. */
export const hooksBefore: Step = (call, next) => {
  const hooks = beforeHooks(call);
  return hooks.length === 0 ? next(call) : askBefore(call, hooks, next);
};

/** Lets the hooks of code and of settings change the result of a call that has run, successful or not. */
export const hooksAfter: Step = (call, next) => {
  const hooks = afterHooks(call);
  return hooks.length === 0 ? next(call) : askAfter(call, hooks, next);
};

/** Code hooks enclose the hooks of the user's settings, and those the project's: the outermost is asked first. */
function beforeHooks({ name, scope: { settings, hooks } }: Call): readonly CallHook[] {
  return [...codeHooks(hooks.code, "before"), ...settingsHooks(settings.hooks.before, name, hooks)];
}

/** In reverse: the outermost is asked last. */
function afterHooks({ name, scope: { settings, hooks } }: Call): readonly CallHook[] {
  return [...settingsHooks(settings.hooks.after, name, hooks), ...codeHooks(hooks.code, "after")];
}

async function askBefore(given: Call, hooks: readonly CallHook[], next: Parameters<Step>[1]): Promise<ToolResult> {
  let call = given;
  for (const hook of hooks) {
    const seenCall = seen(call);
    const said = await attempt(call, async ({ signal }) => toBeforeAnswer(await hook.ask(seenCall, undefined, signal)));
    if (call.signal.aborted) return stopped(call);
    const refusal = "failed" in said ? failedWords(hook, said.failed) : said.refuse;
    if (refusal !== undefined) return notAllowed(call.name, refusal);
    if ("input" in said && said.input !== undefined) call = { ...call, input: said.input };
  }
  return next(call);
}

async function askAfter(call: Call, hooks: readonly CallHook[], next: Parameters<Step>[1]): Promise<ToolResult> {
  let result = await next(call);
  // An input that would not do has not come to the tool.
  if (!result.ok && result.error.code === "invalid_input") return result;
  for (const hook of hooks) {
    // What it had shown before it was stopped, no hook has looked at.
    if (call.signal.aborted) return stopped(call);
    const given = result;
    const said = await attempt(call, async ({ signal }) => toAfterAnswer(await hook.ask(seen(call), given, signal)));
    if (call.signal.aborted) return stopped(call);
    if ("failed" in said) return resultWithheld(call.name, hook.name, said.failed);
    if (Object.keys(said).length > 0) result = await changed(call, result, patchOf(said));
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

/** What a failed call had shown before is part of what the hook has replaced. */
async function changed(call: Call, result: ToolResult, patch: ReturnType<typeof patchOf>): Promise<ToolResult> {
  const { boundedPatch } = await import("../output/bounded-result.ts");
  const { changes, truncated } = boundedPatch(patch, call.limits.output, call.context);
  const { data: _, ...rest } = toHooked(result);
  const kept = patch.data === undefined && result.data !== undefined ? { data: result.data } : {};
  const next = { ...rest, ...kept, ...changes };
  if (next.data === null) delete next.data;
  return fromHooked(next, truncated, patch.content && !result.ok ? { ...result, content: [] } : result);
}
