import type { ToolResult } from "../core/result.ts";
import type { Call, Step } from "./call.ts";

/** Folds steps around the innermost act: the first step sees the call first and the result last. */
export function compose(
  steps: readonly Step[],
  act: (call: Call) => Promise<ToolResult>,
): (call: Call) => Promise<ToolResult> {
  return steps.reduceRight<(call: Call) => Promise<ToolResult>>((next, step) => (call) => step(call, next), act);
}
