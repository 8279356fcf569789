import type { ToolError } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { type DecideRequest, type Decision, decide, decideEach, modeOf } from "../permissions/decide.ts";
import { type ApprovalOptions, approvalOptions } from "../permissions/approval-options.ts";
import type { Mode } from "../permissions/rule.ts";
import type { CallRequest } from "./call.ts";
import { createCallClock } from "./call-limits.ts";
import { type CallSteps, contextOf } from "./call-runner.ts";
import { stopped } from "./failures.ts";
import type { PermissionContextOf } from "./permission-context.ts";
import type { PipelineParts } from "./pipeline-parts.ts";
import { prepare } from "./prepare.ts";
import { isFolder } from "./real-targets.ts";

/** What would be decided on a call, and why; or why there is nothing to decide. */
export type Explained = ({ readonly ok: true } & Explanation) | { readonly ok: false; readonly error: ToolError };

/** What would be decided on a call. */
export interface Explanation {
  readonly tool: string;
  /** The agents whose rules hold, the caller's own first. */
  readonly agents: readonly string[];
  /** The mode in force. */
  readonly mode: Mode;
  /** The decision on each thing that the call would touch. */
  readonly decisions: readonly Decision[];
  /** The decision on the call: the strictest of them. */
  readonly decision: Decision;
  /** What a person who is asked could answer, and what would be remembered. */
  readonly offer: ApprovalOptions;
}

/** Returns a function that explains calls. The tool validates the input and declares its access; nothing else runs, no hook either. */
export function createExplain(
  parts: PipelineParts,
  {
    resolve,
    limitsOf,
    permissionContextOf,
  }: Pick<CallSteps, "resolve" | "limitsOf"> & { readonly permissionContextOf: PermissionContextOf },
): (request: CallRequest) => Promise<Explained> {
  const { catalog, hosts } = parts;
  return async (request) => {
    const { name, input = {} } = request;
    await catalog.ready(name);
    const entry = resolve(request);
    if (!("manifest" in entry)) return failed(entry);
    const { codeVersion } = entry.ref;
    hosts.retain(codeVersion);
    try {
      const context = contextOf(request, parts.paths);
      const scope = parts.scope(context, undefined);
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, ...(request.signal ? [request.signal] : [])]);
      // Declaring its access may take a tool as long as running would.
      const timeoutMs = request.timeoutMs ?? limitsOf(entry, scope.settings).timeoutMs;
      const clock = createCallClock(timeoutMs, scope.settings, over);
      const call = { name, input, entry, context, scope, signal };
      const access =
        (await clock.countFrom((started) => untilAborted(signal, () => prepare(call, hosts, started)))) ??
        stopped({ name, signal, timeoutMs });
      return "ok" in access ? failed(access) : explanation(permissionContextOf(call, access));
    } finally {
      hosts.release(codeVersion);
    }
  };
}

function explanation(permissionContext: DecideRequest): Explained {
  return {
    ok: true,
    tool: permissionContext.tool,
    agents: [permissionContext.agent, ...(permissionContext.parents ?? [])],
    mode: modeOf(permissionContext),
    decisions: decideEach(permissionContext),
    decision: decide(permissionContext),
    offer: approvalOptions(permissionContext, { isFolder }),
  };
}

function failed(result: ToolResult): Explained {
  if (result.ok) throw new Error("A call that is only explained has no result.");
  return { ok: false, error: result.error };
}
