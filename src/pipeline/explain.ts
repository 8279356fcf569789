import type { ToolError } from "../core/error.ts";
import type { ToolResult } from "../core/result.ts";
import type { Hosts } from "../host/hosts.ts";
import type { ContextData } from "../host/protocol.ts";
import { type DecideRequest, type Decision, decide, decideEach, modeOf } from "../permissions/decide.ts";
import { type Offer, offerFor } from "../permissions/remember.ts";
import type { Mode } from "../permissions/rule.ts";
import type { Entry } from "../registry/entry.ts";
import type { Call, CallRequest } from "./call.ts";
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
  readonly resolve: (request: CallRequest) => Entry | ToolResult;
  readonly context: (request: CallRequest) => ContextData;
  readonly hold: (entry: Entry) => () => void;
  readonly standing: (call: Pick<Call, "name" | "context">, access: DecideRequest["access"]) => DecideRequest;
}

/** Says what would be decided on a call. The tool checks the input and says what it would touch; nothing else runs, no hook either. */
export function createExplain(options: ExplainOptions): (request: CallRequest) => Promise<Explained> {
  return async (request) => {
    const entry = options.resolve(request);
    if (!("manifest" in entry)) return failed(entry);
    const release = options.hold(entry);
    try {
      const { name, input = {}, signal = new AbortController().signal } = request;
      const context = options.context(request);
      const access = await prepare({ name, input, entry, context, signal }, options.hosts);
      return "ok" in access ? failed(access) : explanation(options.standing({ name, context }, access));
    } finally {
      release();
    }
  };
}

function explanation(standing: DecideRequest): Explained {
  return {
    ok: true,
    tool: standing.tool,
    agents: [standing.agent, ...(standing.parents ?? [])],
    mode: modeOf(standing),
    decisions: decideEach(standing),
    decision: decide(standing),
    offer: offerFor(standing, { isFolder }),
  };
}

function failed(result: ToolResult): Explained {
  if (result.ok) throw new Error("A call that is only explained has no result.");
  return { ok: false, error: result.error };
}
