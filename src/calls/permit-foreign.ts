import type { PermitAnswer } from "../core/coding-agent.ts";
import { messageOf } from "../core/error.ts";
import type { Access } from "../core/tool.ts";
import type { AskingCall, CallRequest } from "./call.ts";
import type { CallPermissions } from "./call-permissions.ts";
import { contextOf } from "./call-runner.ts";
import type { PipelineParts } from "./pipeline-parts.ts";

/** A call that an agent makes with a tool of its own. `name` is `<agent>:<tool>`. */
export interface ForeignCall
  extends Pick<CallRequest, "name" | "input" | "callID" | "messageID" | "agent" | "directory"> {
  readonly sessionID: string;
  readonly access: readonly Access[];
  /** Fires when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** A call of an agent's own tool, as questions need it. `atEnd` must be run when the question is over. */
export function createForeignCall(parts: PipelineParts, request: ForeignCall): AskingCall {
  const { name, input, access, signal } = request;
  const context = contextOf(request, parts.paths);
  const scope = parts.scope(context, { ...request, callerIsAsked: false });
  return { name, input, context, scope, access, signal, parentID: undefined, emit: () => {}, atEnd: [] };
}

/** Returns a function that decides on calls that the pipeline does not run. */
export function createPermit(
  parts: PipelineParts,
  permissions: CallPermissions,
): (request: ForeignCall) => Promise<PermitAnswer> {
  return async (request) => {
    let asking: AskingCall | undefined;
    try {
      asking = createForeignCall(parts, request);
      return await permissions.permit(asking);
    } catch (error) {
      return { allowed: false, reason: `The permission could not be decided: ${messageOf(error)}` };
    } finally {
      for (const finish of [...(asking?.atEnd ?? [])]) finish();
    }
  };
}
