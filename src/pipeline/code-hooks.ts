import type { ToolResult } from "../core/result.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { AfterAnswer, BeforeAnswer, CallHook, HookCall } from "./hook-answer.ts";

/** A call, and the signal that fires when nobody needs the hook's word any more. */
export type CodeHookCall = HookCall & { readonly signal: AbortSignal };

type Said<T> = T | undefined | Promise<T | undefined>;

/** Functions that have a say in the calls of all tools. One that throws before a call refuses it; after one, its result is not shown. */
export interface CodeHook {
  before?(call: CodeHookCall): Said<BeforeAnswer>;
  after?(call: CodeHookCall, result: ToolResult): Said<AfterAnswer>;
}

/** One, or several in the order in which they are asked. */
export type CodeHooks = CodeHook | readonly CodeHook[];

/** The hooks that were given as functions, for one of the two moments. */
export function codeHooks(given: CodeHooks | undefined, moment: "before" | "after"): CallHook[] {
  if (given === undefined) return [];
  return [given].flat().flatMap((hook: CodeHook) => (hook[moment] ? [toCallHook(hook)] : []));
}

function toCallHook(hook: CodeHook): CallHook {
  return {
    name: "given in code",
    ask: (call, result, signal) =>
      untilAborted(signal, async () => {
        // Copies: what a hook wants changed it says.
        const seen = { ...structuredClone(call), signal };
        if (!result) return hook.before?.(seen);
        const { content, data } = result;
        return hook.after?.(seen, {
          ...result,
          ...structuredClone({ content, ...(data === undefined ? {} : { data }) }),
        });
      }),
  };
}
