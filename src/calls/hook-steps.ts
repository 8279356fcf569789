import { messageOf } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import type { Call, Step } from "./call.ts";
import { codeHooks } from "./code-hooks.ts";
import { notAllowed, resultWithheld, stopped } from "./failures.ts";
import { fromShaped, toShaped } from "./file-hooks.ts";
import { type CallHook, type HookCall, patchOf, toAfterAnswer, toBeforeAnswer } from "./hook-answer.ts";
import { settingsHooks } from "./settings-hooks.ts";

/** Lets the hooks in code and in the settings change or refuse a call before it is validated. A hook that fails refuses it. */
export const hooksBefore: Step = (call, next) => {
  const hooks = beforeHooks(call);
  return hooks.length === 0 ? next(call) : askBefore(call, hooks, next);
};

/** Lets the hooks in code and in the settings change the result of a call that has run, successful or not. */
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

async function askBefore(original: Call, hooks: readonly CallHook[], next: Parameters<Step>[1]): Promise<ToolResult> {
  let call = original;
  for (const hook of hooks) {
    const seen = toHookCall(call);
    const answer = await attempt(call, async () => toBeforeAnswer(await hook.ask(seen, undefined, call.signal)));
    if (call.signal.aborted) return stopped(call);
    const refusal = "failed" in answer ? failureText(hook, answer.failed) : answer.refuse;
    if (refusal !== undefined) return notAllowed(call.name, refusal);
    if ("input" in answer && answer.input !== undefined) call = { ...call, input: answer.input };
  }
  return next(call);
}

async function askAfter(call: Call, hooks: readonly CallHook[], next: Parameters<Step>[1]): Promise<ToolResult> {
  let result = await next(call);
  // A tool whose input was refused has not run.
  if (!result.ok && result.error.code === "invalid_input") return result;
  for (const hook of hooks) {
    // The partial output of a stopped call has not passed the hooks.
    if (call.signal.aborted) return stopped(call);
    const before = result;
    const answer = await attempt(call, async () =>
      toAfterAnswer(await hook.ask(toHookCall(call), before, call.signal)),
    );
    if (call.signal.aborted) return stopped(call);
    if ("failed" in answer) return resultWithheld(call.name, hook.name, answer.failed);
    if (Object.keys(answer).length > 0) result = await patched(call, result, patchOf(answer));
  }
  return result;
}

function toHookCall({ name, input, context }: Call): HookCall {
  const { callID, sessionID, agent, directory, worktree } = context;
  return { tool: name, input, callID, sessionID, agent, directory, worktree };
}

/** The time of a hook counts as time of the call. */
async function attempt<T extends object>(call: Call, work: () => Promise<T>): Promise<T | { readonly failed: string }> {
  call.clock.start();
  try {
    return await work();
  } catch (error) {
    return { failed: messageOf(error).replace(/\.$/, "") };
  } finally {
    call.clock.stop();
  }
}

function failureText({ name }: CallHook, why: string): string {
  return `The hook ${name} failed: ${why}. Correct the hook, or remove it.`;
}

/** If the hook replaces the content of a failed call, the partial output is replaced too. */
async function patched(call: Call, result: ToolResult, patch: ReturnType<typeof patchOf>): Promise<ToolResult> {
  const { boundedPatch } = await import("../host/output/bounded-result.ts");
  const { changes, truncated } = boundedPatch(patch, call.limits.output, call.context);
  const { data: _, ...rest } = toShaped(result);
  const data = patch.data === undefined && result.data !== undefined ? { data: result.data } : {};
  const next = { ...rest, ...data, ...changes };
  if (next.data === null) delete next.data;
  return fromShaped(next, truncated, patch.content && !result.ok ? { ...result, content: [] } : result);
}
