import type { Caller } from "../core/caller.ts";
import { messageOf } from "../core/error.ts";
import type { ToolEvent, Update } from "../core/events.ts";
import type { ToolResult } from "../core/result.ts";
import { SHARED_SESSION_ID } from "../core/session-id.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { projectOf } from "../discovery/repository.ts";
import { isInside } from "../files/inside.ts";
import type { ContextData } from "../protocol/messages.ts";
import type { RegistryEntry } from "../registry/registry-entry.ts";
import type { Call, CallRequest, Run } from "./call.ts";
import { createCallClock, type createCallLimits } from "./call-limits.ts";
import { failure, notAllowed, stopped } from "./failures.ts";
import type { Paths, PipelineParts } from "./pipeline-parts.ts";
import { ToolRun } from "./tool-run.ts";

/** The steps of a call from its request to its result. */
export interface CallSteps {
  /** The tool of that name, or the result that explains why it is missing. */
  readonly resolve: (request: CallRequest) => RegistryEntry | ToolResult;
  readonly limitsOf: ReturnType<typeof createCallLimits>;
  /** Everything between a resolved call and its result. */
  readonly handle: (call: Call) => Promise<ToolResult>;
}

/** Runs tools: with a parent on behalf of a running call. */
export type RunCall = (request: CallRequest, parent?: ParentCall) => Run;

/** The running call that calls a built-in tool, and that tool. */
export interface ParentCall {
  readonly call: Call;
  readonly entry: RegistryEntry;
  readonly onUpdate?: ((update: Update) => void) | undefined;
}

/** Returns the only function that runs tools: it resolves a call, takes it through the steps and records it. */
export function createCallRunner(parts: PipelineParts, steps: CallSteps): RunCall {
  return (request, parent) => {
    const context = parent ? innerContext(parent) : contextOf(withKnownAgent(request, parts), parts.paths);
    // A tool makes its calls for the caller of its own call.
    const caller = parent ? parent.call.caller : (request.caller ?? "library");
    return new ToolRun(context.callID, (run) => record({ run, request, context, caller, parent }, parts, steps));
  };
}

/** A call before its tool is resolved. */
interface RequestedCall {
  readonly run: ToolRun;
  readonly request: CallRequest;
  readonly context: ContextData;
  readonly caller: Caller;
  readonly parent: ParentCall | undefined;
}

/** Programs: without a name, they count as the agent of the session. The calls of a person have no agent. */
const PROGRAMS: ReadonlySet<Caller | undefined> = new Set(["http", "mcp"]);

/** In the session of an agent, other callers do not choose the agent whose rules apply. */
function withKnownAgent(request: CallRequest, { agentOf }: PipelineParts): CallRequest {
  const { sessionID, agent, caller } = request;
  if (sessionID === undefined || caller === "agent") return request;
  const known = agent === undefined && !PROGRAMS.has(caller) ? undefined : agentOf(sessionID);
  return known === undefined ? request : { ...request, agent: known };
}

function innerContext({ call }: ParentCall): ContextData {
  return { ...call.context, callID: crypto.randomUUID() };
}

/** Emits one start, the updates, and exactly one end. */
async function record(requested: RequestedCall, parts: PipelineParts, steps: CallSteps): Promise<ToolResult> {
  const { run, request, caller, parent } = requested;
  const base = (): ReturnType<typeof eventBase> => eventBase(requested);
  const startedAt = performance.now();
  // In a session that is recorded, a caller sees the start and the end when they are durable.
  const emit = (event: ToolEvent): Promise<void> | undefined => {
    const stored = parts.recorder.record(event, request.input, caller);
    if (stored) return stored.finally(() => run.emit(event));
    run.emit(event);
    return undefined;
  };
  const started = emit({ ...base(), type: "tool.start", input: request.input });
  let isOver = false;
  const update = (update: Update): void => {
    if (isOver) return;
    emit({ ...update, ...base(), type: "tool.update" });
    parent?.onUpdate?.(update);
  };
  const unrecorded = started && (await started.then(() => undefined, notRecorded));
  const ended = unrecorded ?? (await perform(requested, update, parts, steps).catch(internalError));
  isOver = true;
  const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
  const result: ToolResult = { ...ended, notes: { ...ended.notes, durationMs } };
  const end = result.ok
    ? emit({ ...base(), type: "tool.complete", result })
    : emit({ ...base(), type: "tool.failed", result });
  if (end) await end;
  return result;
}

function eventBase({ request, context, parent }: RequestedCall): Omit<ToolEvent, "type"> & { at: number } {
  const { callID, sessionID, messageID, agent } = context;
  const base = { callID, tool: request.name, sessionID, messageID, agent, at: Date.now() };
  return parent ? { ...base, parentID: parent.call.context.callID } : base;
}

async function perform(
  { run, request, context, caller, parent }: RequestedCall,
  update: (update: Update) => void,
  { catalog, hosts, scope: scopeOf }: PipelineParts,
  { resolve, limitsOf, handle }: CallSteps,
): Promise<ToolResult> {
  const { controller } = run;
  const forward = (): void => controller.abort();
  if (request.signal?.aborted) forward();
  request.signal?.addEventListener("abort", forward, { once: true });
  try {
    const { name, input = {} } = request;
    const { signal } = controller;
    const reading = parent ? undefined : catalog.ready(name);
    if (reading) await untilAborted(signal, () => reading);
    for (let guards = catalog.guardsRead(); guards && !signal.aborted; guards = catalog.guardsRead()) {
      const waiting = guards;
      await untilAborted(signal, () => waiting);
    }
    if (signal.aborted) return stopped({ name, signal, timeoutMs: 0 });
    const entry = parent?.entry ?? resolve(request);
    if (!("manifest" in entry)) return entry;
    const refusal = catalog.refusalOfGuards();
    if (refusal !== undefined) return notAllowed(name, refusal);
    const scope = parent?.call.scope ?? scopeOf(context, request);
    const limits = limitsOf(entry, scope.settings);
    const timeoutMs = request.timeoutMs ?? limits.timeoutMs;
    const clock = createCallClock(timeoutMs, scope.settings, controller, parent?.call.clock);
    const { codeVersion } = entry.ref;
    hosts.retain(codeVersion);
    const atEnd = [() => hosts.release(codeVersion)];
    const access = ["undeclared"] as const;
    try {
      return await handle({
        name,
        input,
        entry,
        context,
        scope,
        access,
        signal,
        clock,
        timeoutMs,
        limits,
        update,
        caller,
        parentID: parent?.call.context.callID,
        emit: (event) => {
          run.emit(event);
          parent?.call.emit(event);
        },
        atEnd,
      });
    } finally {
      clock.close();
      for (const finish of atEnd) finish();
    }
  } finally {
    request.signal?.removeEventListener("abort", forward);
  }
}

/** A call that could not be recorded is not made: after a crash, its session would not know of it. */
function notRecorded(error: unknown): ToolResult {
  return failure("failed", `The tool was not called, because its session could not be written. ${messageOf(error)}`);
}

/** An unexpected error becomes a failed call: `result` never rejects. */
function internalError(error: unknown): ToolResult {
  return failure(
    "failed",
    `The call failed inside Toolwright: ${messageOf(error)}. This is a bug in Toolwright, not in the tool: report it, with the call.`,
  );
}

/** The context of a call, with defaults for what the request leaves out. */
export function contextOf(request: CallRequest, { directory, root }: Paths): ContextData {
  return {
    sessionID: request.sessionID ?? SHARED_SESSION_ID,
    messageID: request.messageID ?? "",
    callID: request.callID ?? crypto.randomUUID(),
    agent: request.agent ?? "",
    directory: request.directory ?? directory,
    worktree: request.directory === undefined ? root : worktreeOf(request.directory, root),
    extra: request.extra ?? {},
  };
}

/** If a link has replaced a directory of the project, the place that it leads to is not part of the project. */
function worktreeOf(directory: string, root: string): string {
  const project = projectOf(directory);
  return isInside(root, directory) && !isInside(root, project) ? root : project;
}
