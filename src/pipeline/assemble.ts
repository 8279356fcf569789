import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { ToolEvent } from "../core/events.ts";
import type { Limits } from "../core/tool.ts";
import type { Hosts } from "../protocol/hosts.ts";
import type { OutputLimits } from "../protocol/messages.ts";
import type { Entry } from "../registry/entry.ts";
import type { Registry } from "../registry/registry.ts";
import type { Call, CallRequest, Run } from "./call.ts";
import { type CallHooks, createHooksAfter, createHooksBefore } from "./call-hooks.ts";
import { type CodeHooks, codeHooks } from "./code-hooks.ts";
import { compose } from "./compose.ts";
import { createExplain, type Explained } from "./explain-call.ts";
import { createAfter, createBefore, type HookFile, type HookOptions } from "./file-hooks.ts";
import { createHostRequestHandler, type HostRequestHandlers } from "./host-requests.ts";
import { OpenQuestions } from "./open-questions.ts";
import { createPermissionContext, type PermissionContextOptions } from "./permission-context.ts";
import { createAsk, createPermit, createPermitMore, createPermitted, type PermitOptions } from "./permit.ts";
import { contextOf, createPipeline, type PipelineOptions } from "./pipeline.ts";
import type { Approver } from "./question.ts";
import { createResolve, type Known } from "./resolve-tool.ts";
import { createRunTool, type RunOptions } from "./run-tool.ts";
import { type CommandPlace, settingsHooks } from "./settings-hooks.ts";

/** What the pipeline is given. Settings and blocked files are asked for anew on each call: a reload changes them. */
export interface AssembleOptions {
  readonly directory: string;
  readonly root: string;
  readonly home: string;
  readonly outputsRoot: string;
  readonly registry: Registry;
  readonly ready: PipelineOptions["ready"];
  readonly hosts: Hosts;
  readonly settings: () => Settings;
  readonly code: PermissionContextOptions["code"];
  readonly status: Known["status"];
  readonly isClosed: () => boolean;
  readonly approve: Approver | undefined;
  readonly callerIsAsked: boolean;
  readonly agentsOf: PermissionContextOptions["agentsOf"];
  readonly granted: PermissionContextOptions["granted"];
  readonly remember: PermitOptions["remember"];
  readonly settingsFile: string;
  /** Hooks that were given as functions. */
  readonly hooks: CodeHooks | undefined;
  /** Where the hooks that are commands are started. */
  readonly hookPlace: () => CommandPlace;
  readonly onEvent: (event: ToolEvent, request: CallRequest) => void;
  readonly session: PipelineOptions["session"];
  /** Files that have a say in the calls of all tools, in the order in which they are asked. */
  readonly hookFiles: () => readonly HookFile[];
  readonly ui: RunOptions["ui"];
  readonly state: HostRequestHandlers["state"];
  readonly delegate: HostRequestHandlers["delegate"];
  readonly followDialogs: HookOptions["followDialogs"];
}

/** What can be done about a call: make it, or say what would be decided on it. */
export interface Pipeline {
  call(request: CallRequest): Run;
  explain(request: CallRequest): Promise<Explained>;
}

/** How long a call waits for hosts to be started for it, beside the time that importing its file may take. */
const HOST_START_MS = 20_000;

/** resolve → hooks before → validate → permit → run under a time limit (→ shape → truncate, in the host) → hooks after → record. */
export function assemblePipeline(options: AssembleOptions): Pipeline {
  const { hosts, approve, callerIsAsked, directory, root, remember, settings, settingsFile, agentsOf } = options;
  const limitsOf = createLimits(options);
  const [permissionContext, open] = [createPermissionContext(options), new OpenQuestions()];
  const permit = { hosts, approve, callerIsAsked, remember, settingsFile, permissionContext, open };
  const runTool = createRunTool({
    hosts,
    outputLimits: (call) => limitsOf(call.entry).output,
    ownLimits: (call) => limitsOf(call.entry).own,
    meet: createHostRequestHandler({
      ask: createAsk(permit),
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
    outputLimits: (call: Call) => limitsOf(call.entry).output,
  };
  const outer = callHooks(options, hooks.outputLimits);
  const before = [createHooksBefore(outer), createBefore(hooks)];
  const after = [createHooksAfter(outer), createAfter(hooks)];
  const resolve = createResolve(options);
  const hold = ({ ref }: Entry): (() => void) => {
    hosts.retain(ref.codeVersion);
    return () => hosts.release(ref.codeVersion);
  };
  const timeoutMs = (entry: Entry, request: CallRequest): number => request.timeoutMs ?? limitsOf(entry).timeoutMs;
  const waitMs = (): number => settings().limits.importMs + HOST_START_MS;
  const call = createPipeline({
    directory,
    worktree: root,
    ready: options.ready,
    resolve,
    timeoutMs,
    waitMs,
    hold,
    session: options.session,
    handle: compose([...before, createPermit({ ...permit, settings, agentsOf }), ...after], runTool),
    onEvent: options.onEvent,
  });
  const context = (request: CallRequest): Call["context"] => contextOf(request, { directory, worktree: root });
  return {
    call,
    explain: createExplain({
      hosts,
      ready: options.ready,
      resolve,
      context,
      hold,
      permissionContext,
      timeoutMs,
      waitMs,
    }),
  };
}

/**
 * The hooks of code are around those of the user's settings, these around the project's, and all of them around the hooks of
 * tool files: before a call the outermost is asked first, after it last.
 */
function callHooks(
  { hooks, settings, hookPlace }: AssembleOptions,
  outputLimits: CallHooks["outputLimits"],
): CallHooks {
  return {
    before: (tool) => [...codeHooks(hooks, "before"), ...settingsHooks(settings().hooks.before, tool, hookPlace)],
    after: (tool) => [...settingsHooks(settings().hooks.after, tool, hookPlace), ...codeHooks(hooks, "after")],
    outputLimits,
  };
}

/** What a call is bound by; its own limits only where it has any. */
interface LimitsInForce extends Pick<Limits, "own"> {
  readonly timeoutMs: number;
  readonly output: OutputLimits;
}

/** The limits of tools, put together once for as long as the settings stay the same. */
function createLimits({ settings, outputsRoot }: AssembleOptions): (entry: Entry) => LimitsInForce {
  const folder = join(outputsRoot, "outputs");
  const known = new WeakMap<Entry, { readonly under: Settings; readonly limits: LimitsInForce }>();
  return (entry) => {
    const under = settings();
    const before = known.get(entry);
    if (before?.under === under) return before.limits;
    const limits = limitsFor(entry, under, folder);
    known.set(entry, { under, limits });
    return limits;
  };
}

/** The settings for this very tool over what its author says, over the settings for all. */
function limitsFor({ manifest }: Entry, settings: Settings, folder: string): LimitsInForce {
  const set = settings.toolLimits[manifest.name];
  const all = { keep: "head" as const, ...settings.limits, ...manifest.limits, ...set };
  const { timeoutMs, maxLines, maxBytes, keep } = all;
  const own = set?.own ? { ...manifest.limits.own, ...set.own } : manifest.limits.own;
  return { timeoutMs, output: { maxLines, maxBytes, keep, folder }, ...(own ? { own } : {}) };
}
