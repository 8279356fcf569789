import type { DialogAnswer, PermitAnswer } from "../core/coding-agent.ts";
import type { ToolResult } from "../core/result.ts";
import { type AskingForeignCall, createForeignAsk } from "./ask-foreign.ts";
import type { Call, CallRequest, Run, Step } from "./call.ts";
import { createCallLimits } from "./call-limits.ts";
import { CallPermissions } from "./call-permissions.ts";
import { createCallRunner } from "./call-runner.ts";
import { createExplain } from "./explain-call.ts";
import type { Explained } from "./explanation.ts";
import { createHookSteps } from "./hook-steps.ts";
import { InnerCalls } from "./inner-calls.ts";
import { createPermissionContext } from "./permission-context.ts";
import { createPermit, type ForeignCall } from "./permit-foreign.ts";
import type { PipelineParts } from "./pipeline-parts.ts";
import { createResolve } from "./resolve-tool.ts";
import { createRunTool } from "./run-tool.ts";

/** Makes calls, and explains what would be decided on them. */
export interface Pipeline {
  call(request: CallRequest): Run;
  explain(request: CallRequest): Promise<Explained>;
  /** Decides, by the rules or by asking a person, on a call that an agent makes with a tool of its own. Never rejects. */
  permit(request: ForeignCall): Promise<PermitAnswer>;
  /** Asks a person for such a call. Never rejects. */
  ask(request: AskingForeignCall): Promise<DialogAnswer>;
}

/** resolve → hooks before → validate → permit → run under a time limit (→ shape → truncate, in the host) → hooks after → record. */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { hosts, paths } = parts;
  const resolve = createResolve(parts);
  const limitsOf = createCallLimits(paths.toolwrightHome);
  const permissionContextOf = createPermissionContext(parts);
  const permissions = new CallPermissions(parts, permissionContextOf);
  const hooks = createHookSteps(hosts);
  const innerCallsOf = (outer: Call): InnerCalls => new InnerCalls(outer, parts.catalog, call);
  const handle = compose(
    [hooks.before, permissions.step, hooks.after],
    createRunTool(hosts, permissions, innerCallsOf),
  );
  const call = createCallRunner(parts, { resolve, limitsOf, handle });
  return {
    call,
    explain: createExplain(parts, { resolve, limitsOf, permissionContextOf }),
    permit: createPermit(parts, permissions),
    ask: createForeignAsk(parts),
  };
}

/** Nests steps around the innermost one: the first step sees the call first and the result last. */
function compose(
  steps: readonly Step[],
  innermost: (call: Call) => Promise<ToolResult>,
): (call: Call) => Promise<ToolResult> {
  return steps.reduceRight<(call: Call) => Promise<ToolResult>>((next, step) => (call) => step(call, next), innermost);
}
