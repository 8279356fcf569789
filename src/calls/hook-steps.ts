import { messageOf } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import type { Call, Step } from "./call.ts";
import { codeHooks } from "./code-hooks.ts";
import { notAllowed, resultWithheld, stopped } from "./failures.ts";
import { fileHooks, fromShaped, type HookStep, toShaped } from "./file-hooks.ts";
import { type CallHook, type HookCall, patchOf, toAfterAnswer, toBeforeAnswer } from "./hook-answer.ts";
import { settingsHooks } from "./settings-hooks.ts";

/** Steps that let hooks change or refuse a call before it is validated, and change its result, successful or not. */
export function createHookSteps(hosts: Hosts): { readonly before: Step; readonly after: Step } {
  return {
    before: (call, next) => (isHooked(call, "before") ? askBefore(call, hosts, next) : next(call)),
    // The question comes after the run: a file may register hooks meanwhile.
    after: (call, next) =>
      next(call).then((result) => (isHooked(call, "after") ? askAfter(call, result, hosts) : result)),
  };
}

/** Whether there may be hooks to ask. Most calls have none. */
function isHooked({ scope: { settings, hooks } }: Call, moment: "before" | "after"): boolean {
  return hooks.code !== undefined || settings.hooks[moment].length > 0 || hooks.files().length > 0;
}

/**
 * Code hooks enclose the hooks of the user's settings, those the project's, and those the files': the outermost is asked first.
 * The files are listed when it is their turn, because a reload replaces their references.
 */
function* hooksBefore({ name, scope: { settings, hooks } }: Call, hosts: Hosts): Generator<HookStep> {
  yield* codeHooks(hooks.code, "before").map(toHookStep);
  yield* settingsHooks(settings.hooks.before, name, hooks).map(toHookStep);
  yield* fileHooks(hooks.files(), "before", hosts);
}

/** In reverse: the outermost is asked last. */
function* hooksAfter({ name, scope: { settings, hooks } }: Call, hosts: Hosts): Generator<HookStep> {
  yield* fileHooks(hooks.files(), "after", hosts);
  yield* settingsHooks(settings.hooks.after, name, hooks).map(toHookStep);
  yield* codeHooks(hooks.code, "after").map(toHookStep);
}

async function askBefore(original: Call, hosts: Hosts, next: Parameters<Step>[1]): Promise<ToolResult> {
  let call = original;
  for (const hook of hooksBefore(original, hosts)) {
    const answer = await hook.before(call);
    if (call.signal.aborted) return stopped(call);
    if ("ok" in answer) return answer;
    call = answer;
  }
  return next(call);
}

async function askAfter(call: Call, original: ToolResult, hosts: Hosts): Promise<ToolResult> {
  // A tool whose input was refused has not run.
  if (!original.ok && original.error.code === "invalid_input") return original;
  let result = original;
  for (const hook of hooksAfter(call, hosts)) {
    // The partial output of a stopped call has not passed the hooks.
    if (call.signal.aborted) return stopped(call);
    result = await hook.after(call, result);
    if (call.signal.aborted) return stopped(call);
  }
  return result;
}

function toHookStep(hook: CallHook): HookStep {
  return {
    before: (call) => askHookBefore(call, hook),
    after: (call, result) => askHookAfter(call, result, hook),
  };
}

async function askHookBefore(call: Call, { name, ask }: CallHook): ReturnType<HookStep["before"]> {
  const answer = await attempt(call, async () => toBeforeAnswer(await ask(toHookCall(call), undefined, call.signal)));
  if ("failed" in answer) {
    return notAllowed(call.name, `The hook ${name} failed: ${answer.failed}. Correct the hook, or remove it.`);
  }
  if (answer.refuse !== undefined) return notAllowed(call.name, answer.refuse);
  return answer.input === undefined ? call : { ...call, input: answer.input };
}

async function askHookAfter(call: Call, result: ToolResult, { name, ask }: CallHook): Promise<ToolResult> {
  const answer = await attempt(call, async () => toAfterAnswer(await ask(toHookCall(call), result, call.signal)));
  if ("failed" in answer) return resultWithheld(call.name, name, answer.failed);
  return Object.keys(answer).length > 0 ? patched(call, result, patchOf(answer)) : result;
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
