import { AsyncLocalStorage } from "node:async_hooks";
import type { InnerCallOptions, InnerResult } from "../../core/tool.ts";

/** The running call of a tool of pi, as the built-in tools that it wraps see it. */
export interface CallingTool {
  readonly directory: string;
  callBuiltin(tool: string, input: unknown, options?: InnerCallOptions): Promise<InnerResult>;
}

const KEY = Symbol.for("toolwright.calling-tool");

/** One for the whole process: this module may be loaded twice, by the host and by a tool file. */
function calls(): AsyncLocalStorage<CallingTool> {
  const shared = globalThis as { [KEY]?: AsyncLocalStorage<CallingTool> };
  shared[KEY] ??= new AsyncLocalStorage();
  return shared[KEY];
}

/** Runs the code of a tool, so that `callingTool` returns its call, also after an await. */
export function whileCalling<T>(call: CallingTool, work: () => T): T {
  return calls().run(call, work);
}

/** The call that runs now. Throws outside a call. */
export function callingTool(name: string): CallingTool {
  const call = calls().getStore();
  if (call) return call;
  throw new Error(
    `The tool "${name}" of pi can only be executed while a tool of this file runs: Toolwright runs it as a part of that call. Move this call into execute().`,
  );
}
