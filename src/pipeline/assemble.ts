import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { ToolEvent } from "../core/events.ts";
import type { Limits } from "../core/tool.ts";
import type { Blocked } from "../discovery/discover.ts";
import type { Hosts } from "../host/hosts.ts";
import type { OutputLimits } from "../host/protocol.ts";
import { decide } from "../permissions/decide.ts";
import type { Entry } from "../registry/entry.ts";
import type { Registry } from "../registry/registry.ts";
import type { Call, CallRequest, Run } from "./call.ts";
import { compose } from "./compose.ts";
import { createAfter, createBefore, type HookFile, type HookOptions } from "./hooks.ts";
import { limitTime } from "./limit-time.ts";
import { createNeeds, type NeedOptions } from "./needs.ts";
import { type Approver, createAsk, createPermit, createPermitMore, createPermitted, createValidate } from "./permit.ts";
import { createPipeline, type PipelineOptions } from "./pipeline.ts";
import { createResolve } from "./resolve.ts";
import { createRunTool, type RunOptions } from "./run-tool.ts";

/** What the pipeline is given. Settings and blocked files are asked for anew on each call: a reload changes them. */
export interface AssembleOptions {
  readonly directory: string;
  readonly root: string;
  readonly outputsRoot: string;
  readonly registry: Registry;
  readonly hosts: Hosts;
  readonly settings: () => Settings;
  readonly blocked: () => readonly Blocked[];
  readonly isClosed: () => boolean;
  readonly approve: Approver | undefined;
  readonly callerIsAsked: boolean;
  readonly onEvent: (event: ToolEvent, request: CallRequest) => void;
  readonly session: PipelineOptions["session"];
  /** Files that have a say in the calls of all tools, in the order in which they are asked. */
  readonly hookFiles: () => readonly HookFile[];
  readonly ui: RunOptions["ui"];
  readonly state: NeedOptions["state"];
  readonly delegate: NeedOptions["delegate"];
  readonly followDialogs: HookOptions["followDialogs"];
}

/** resolve → hooks before → validate → permit → run under a time limit (→ shape → truncate, in the host) → hooks after → record. */
export function assemblePipeline(options: AssembleOptions): (request: CallRequest) => Run {
  const { hosts, approve, callerIsAsked, directory, root } = options;
  const limitsOf = (entry: Entry): LimitsInForce => limitsFor(entry, options.settings());
  const permit = {
    hosts,
    approve,
    callerIsAsked,
    decide: (call: Call, access: Call["access"]) => {
      const { permissions, mode } = options.settings();
      const project = { rules: permissions.project, ...(mode.project === undefined ? {} : { mode: mode.project }) };
      const user = { rules: permissions.user, mode: mode.user };
      return decide({ user, project, tool: call.name, agent: call.context.agent, access, root });
    },
  };
  const runTool = createRunTool({
    hosts,
    outputLimits: (call) => outputLimits(limitsOf(call.entry), options.outputsRoot),
    ownLimits: (call) => limitsOf(call.entry).own,
    meet: createNeeds({
      ask: createAsk(approve),
      permitMore: createPermitMore(permit),
      permitted: createPermitted(permit),
      state: options.state,
      delegate: options.delegate,
    }),
    ui: options.ui,
  });
  const hooks = {
    hosts,
    files: options.hookFiles,
    followDialogs: options.followDialogs,
    outputLimits: (call: Call) => outputLimits(limitsOf(call.entry), options.outputsRoot),
  };
  return createPipeline({
    directory,
    worktree: root,
    resolve: createResolve(options),
    timeoutMs: (entry, request) => request.timeoutMs ?? limitsOf(entry).timeoutMs,
    hold: ({ ref }) => {
      hosts.hold(ref.generation);
      return () => hosts.release(ref.generation);
    },
    session: options.session,
    handle: compose(
      [createBefore(hooks), createValidate(permit), createPermit(permit), limitTime, createAfter(hooks)],
      runTool,
    ),
    onEvent: options.onEvent,
  });
}

/** What a call is bound by; its own limits only where it has any. */
type LimitsInForce = Required<Omit<Limits, "own">> & Pick<Limits, "own">;

/** The settings for this very tool over what its author says, over the settings for all. */
function limitsFor({ manifest }: Entry, settings: Settings): LimitsInForce {
  const { timeoutMs, maxLines, maxBytes } = settings.limits;
  const set = settings.toolLimits[manifest.name];
  const own = set?.own ? { own: { ...manifest.limits.own, ...set.own } } : {};
  return { timeoutMs, maxLines, maxBytes, keep: "head", ...manifest.limits, ...set, ...own };
}

function outputLimits({ maxLines, maxBytes, keep }: LimitsInForce, outputsRoot: string): OutputLimits {
  return { maxLines, maxBytes, keep, folder: join(outputsRoot, "outputs") };
}
