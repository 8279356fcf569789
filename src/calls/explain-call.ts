import type { ToolResult } from "../core/result.ts";
import { isFolder } from "../platform/files/is-folder.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import { approvalOptions } from "../settings/permissions/approval-options.ts";
import { type DecideRequest, decide, decideEach, modeOf } from "../settings/permissions/decide.ts";
import type { CallRequest } from "./call.ts";
import { createCallClock } from "./call-limits.ts";
import { type CallSteps, contextOf } from "./call-runner.ts";
import type { Explained } from "./explanation.ts";
import { stopped } from "./failures.ts";
import type { PermissionContextOf } from "./permission-context.ts";
import type { PipelineParts } from "./pipeline-parts.ts";
import { prepare } from "./prepare.ts";

/** Returns a function that explains calls. The tool validates the input and declares its access; it does not run, nor do hooks. */
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
      const scope = parts.scope(context, { name });
      const over = new AbortController();
      const signal = AbortSignal.any([over.signal, ...(request.signal ? [request.signal] : [])]);
      // A tool may take as long to declare its access as it may take to run.
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
  if (result.ok) throw new Error("A call that is only explained cannot succeed.");
  return { ok: false, error: result.error };
}
