import type { ToolResult } from "../core/result.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import type { AfterAnswer, BeforeAnswer, CallHook, HookCall } from "./hook-answer.ts";

/** A call, and the signal that fires when the answer of the hook is no longer needed. */
export type CodeHookCall = HookCall & { readonly signal: AbortSignal };

type MaybePromise<T> = T | undefined | Promise<T | undefined>;

/**
 * Functions that may change or refuse the calls of all tools. If `before` throws, the call is refused. If `after` throws, the
 * result is not shown.
 */
export interface CodeHook {
  before?(call: CodeHookCall): MaybePromise<BeforeAnswer>;
  after?(call: CodeHookCall, result: ToolResult): MaybePromise<AfterAnswer>;
}

/** One hook, or several. `before` and `after` are called in the order of the list. */
export type CodeHooks = CodeHook | readonly CodeHook[];

/** The hooks that have a function `before` or `after`. */
export function codeHooks(hooks: CodeHooks | undefined, moment: "before" | "after"): CallHook[] {
  if (hooks === undefined) return [];
  return [hooks].flat().flatMap((hook: CodeHook) => (hook[moment] ? [toCallHook(hook)] : []));
}

function toCallHook(hook: CodeHook): CallHook {
  return {
    name: "passed in code",
    ask: (call, result, signal) =>
      untilAborted(signal, async () => {
        // The hook gets copies: only its answer changes a call.
        const copy = { ...structuredClone(call), signal };
        if (!result) return hook.before?.(copy);
        const { content, data } = result;
        return hook.after?.(copy, {
          ...result,
          ...structuredClone({ content, ...(data === undefined ? {} : { data }) }),
        });
      }),
  };
}
