import type { ToolError } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { type DecideRequest, type Decision, decide, decideEach, modeOf } from "../permissions/decide.ts";
import { type Offer, offerFor } from "../permissions/offered-answers.ts";
import type { Mode } from "../permissions/rule.ts";
import { type Hosts, NOT_STARTED, TIMEOUT } from "../protocol/hosts.ts";
import type { ContextData } from "../protocol/messages.ts";
import type { Entry } from "../registry/entry.ts";
import type { Call, CallRequest } from "./call.ts";
import { Clock } from "./clock.ts";
import { stopped } from "./failures.ts";
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
  readonly offer: Offer;
}

/** What explaining needs of the pipeline. */
export interface ExplainOptions {
  readonly hosts: Hosts;
  /** What waits for a tool that is not there yet. */
  readonly ready: (name: string) => Promise<void> | undefined;
  readonly resolve: (request: CallRequest) => Entry | ToolResult;
  readonly context: (request: CallRequest) => ContextData;
  readonly hold: (entry: Entry) => () => void;
  readonly timeoutMs: (entry: Entry, request: CallRequest) => number;
  readonly waitMs: () => number;
  readonly permissionContext: (call: Pick<Call, "name" | "context">, access: DecideRequest["access"]) => DecideRequest;
}

/** Says what would be decided on a call. The tool checks the input and says what it would touch; nothing else runs, no hook either. */
export function createExplain(options: ExplainOptions): (request: CallRequest) => Promise<Explained> {
  return async (request) => {
    await options.ready(request.name);
    const entry = options.resolve(request);
    if (!("manifest" in entry)) return failed(entry);
    const release = options.hold(entry);
    try {
      const context = options.context(request);
      const access = await accessOf(request, entry, context, options);
      return "ok" in access
        ? failed(access)
        : explanation(options.permissionContext({ name: request.name, context }, access));
    } finally {
      release();
    }
  };
}

/** The tool has as much time to say what it would touch as it would have to do it. */
async function accessOf(
  request: CallRequest,
  entry: Entry,
  context: ContextData,
  options: ExplainOptions,
): ReturnType<typeof prepare> {
  const { name, input = {} } = request;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, ...(request.signal ? [request.signal] : [])]);
  const timeoutMs = options.timeoutMs(entry, request);
  const clock = new Clock({ ms: timeoutMs, waitMs: options.waitMs() }, (why) =>
    over.abort(why === "not started" ? NOT_STARTED : TIMEOUT),
  );
  const call = { name, input, entry, context, signal };
  const access = await clock.countFrom((started) => untilAborted(signal, () => prepare(call, options.hosts, started)));
  return access ?? stopped({ name, signal, timeoutMs });
}

function explanation(permissionContext: DecideRequest): Explained {
  return {
    ok: true,
    tool: permissionContext.tool,
    agents: [permissionContext.agent, ...(permissionContext.parents ?? [])],
    mode: modeOf(permissionContext),
    decisions: decideEach(permissionContext),
    decision: decide(permissionContext),
    offer: offerFor(permissionContext, { isFolder }),
  };
}

function failed(result: ToolResult): Explained {
  if (result.ok) throw new Error("A call that is only explained has no result.");
  return { ok: false, error: result.error };
}
