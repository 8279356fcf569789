import { projectOf } from "../catalog/discovery/repository.ts";
import type { RegistryEntry } from "../catalog/registry/registry-entry.ts";
import type { Caller } from "../core/caller.ts";
import type { Card } from "../core/card.ts";
import { messageOf } from "../core/error.ts";
import type { ToolEvent, Update } from "../core/events.ts";
import type { ToolResult } from "../core/result.ts";
import type { Source } from "../core/tool.ts";
import type { ContextData } from "../host/protocol/messages.ts";
import { isInside } from "../platform/files/inside.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";
import { SHARED_SESSION_ID } from "../sessions/log/session-id.ts";
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
interface ParentCall {
  readonly call: Call;
  readonly entry: RegistryEntry;
  readonly onUpdate?: ((update: Update) => void) | undefined;
}

/** Returns the only function that runs tools: it resolves a call, takes it through the steps and records it. */
export function createCallRunner(parts: PipelineParts, steps: CallSteps): RunCall {
  return (request, parent) => {
    const call = new RequestedCall(parts, steps, request, parent);
    return new ToolRun(call.context.callID, (run) => call.record(run));
  };
}

/** Programs: without a name, they count as the agent of the session. The calls of a person have no agent. */
const PROGRAMS: ReadonlySet<Caller | undefined> = new Set(["http", "mcp"]);

/** In the session of an agent, other callers do not choose the agent whose rules apply. */
function withKnownAgent(request: CallRequest, { sessionOf }: PipelineParts): CallRequest {
  const { sessionID, agent, caller } = request;
  if (sessionID === undefined || caller === "agent") return request;
  const known = agent === undefined && !PROGRAMS.has(caller) ? undefined : sessionOf(sessionID).agent;
  return known === undefined ? request : { ...request, agent: known };
}

/** A call from its request to its result. Once its tool is known, the steps handle it as a `Call`. */
class RequestedCall {
  readonly context: ContextData;
  readonly #parts: PipelineParts;
  readonly #steps: CallSteps;
  readonly #request: CallRequest;
  readonly #parent: ParentCall | undefined;
  readonly #caller: Caller;
  readonly #atEnd: (() => void)[] = [];
  #entry: RegistryEntry | undefined;
  #isOver = false;

  constructor(parts: PipelineParts, steps: CallSteps, request: CallRequest, parent: ParentCall | undefined) {
    this.#parts = parts;
    this.#steps = steps;
    this.#request = request;
    this.#parent = parent;
    // A tool makes its calls for the caller of its own call.
    this.#caller = parent ? parent.call.caller : (request.caller ?? "library");
    this.context = parent
      ? { ...parent.call.context, callID: crypto.randomUUID() }
      : contextOf(withKnownAgent(request, parts), parts.paths);
  }

  /** Emits one start, the updates, and exactly one end. */
  async record(run: ToolRun): Promise<ToolResult> {
    const startedAt = performance.now();
    const card = this.#card();
    const start = { ...this.#event(), type: "tool.start", input: this.#request.input } as const;
    const started = this.#emit(run, card === undefined ? start : { ...start, card });
    const unrecorded = started && (await started.then(() => undefined, notRecorded));
    const ended = unrecorded ?? (await this.#perform(run).catch(internalError));
    this.#isOver = true;
    const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
    const result: ToolResult = { ...ended, notes: { ...ended.notes, durationMs } };
    const end = result.ok
      ? this.#emit(run, { ...this.#event(), type: "tool.complete", result })
      : this.#emit(run, { ...this.#event(), type: "tool.failed", result });
    if (end) await end;
    return result;
  }

  /** In a session that is recorded, a caller sees the start and the end when they are durable. */
  #emit(run: ToolRun, event: ToolEvent): Promise<void> | undefined {
    const stored = this.#parts.recorder.record(event, this.#request.input, this.#caller);
    if (stored) return stored.finally(() => run.emit(event));
    run.emit(event);
    return undefined;
  }

  #event(): Omit<ToolEvent, "type"> & { at: number } {
    const { callID, sessionID, messageID, agent } = this.context;
    const base = { callID, tool: this.#request.name, sessionID, messageID, agent, at: Date.now() };
    const source = this.#source();
    const event = source === undefined ? base : { ...base, source };
    return this.#parent ? { ...event, parentID: this.#parent.call.context.callID } : event;
  }

  /** Of the tool that was called; before it is resolved, of the served tool of that name. */
  #source(): Source | undefined {
    const entry = this.#entry ?? this.#given;
    return entry ? entry.ref.file.source : this.#parts.catalog.registry.get(this.#request.name)?.source;
  }

  /** The tool of a call that does not look it up by its name. */
  get #given(): RegistryEntry | undefined {
    return this.#parent?.entry ?? this.#request.entry;
  }

  /** Undefined as long as no tool of that name is known: the call is then shown as data. */
  #card(): Card | undefined {
    if (this.#given) return this.#given.manifest.hints.card;
    const found = this.#parts.catalog.registry.lookup(this.#request.name);
    return "entry" in found ? found.entry.manifest.hints.card : undefined;
  }

  #update(run: ToolRun, update: Update): void {
    if (this.#isOver) return;
    this.#emit(run, { ...update, ...this.#event(), type: "tool.update" });
    this.#parent?.onUpdate?.(update);
  }

  async #perform(run: ToolRun): Promise<ToolResult> {
    const { name } = this.#request;
    const { catalog } = this.#parts;
    const { signal } = run.controller;
    try {
      this.#forwardAbort(run);
      const reading = this.#parent ? undefined : catalog.ready(name);
      if (reading) await untilAborted(signal, () => reading);
      for (let guards = catalog.guardsRead(); guards && !signal.aborted; guards = catalog.guardsRead()) {
        const waiting = guards;
        await untilAborted(signal, () => waiting);
      }
      if (signal.aborted) return stopped({ name, signal, timeoutMs: 0 });
      const entry = this.#parent?.entry ?? this.#steps.resolve(this.#request);
      if (!("manifest" in entry)) return entry;
      this.#entry = entry;
      const refusal = catalog.refusalOfGuards();
      if (refusal !== undefined) return notAllowed(name, refusal);
      return await this.#steps.handle(this.#resolved(entry, run));
    } finally {
      for (const finish of this.#atEnd) finish();
    }
  }

  #forwardAbort({ controller }: ToolRun): void {
    const { signal } = this.#request;
    if (!signal) return;
    const forward = (): void => controller.abort();
    if (signal.aborted) return forward();
    signal.addEventListener("abort", forward, { once: true });
    this.#atEnd.push(() => signal.removeEventListener("abort", forward));
  }

  #resolved(entry: RegistryEntry, run: ToolRun): Call {
    const { name, input = {}, timeoutMs: wanted } = this.#request;
    const parent = this.#parent?.call;
    const { hosts } = this.#parts;
    const { controller } = run;
    const { codeVersion } = entry.ref;
    const scope = parent?.scope ?? this.#parts.scope(this.context, this.#request);
    const limits = this.#steps.limitsOf(entry, scope.settings);
    const timeoutMs = wanted ?? limits.timeoutMs;
    const clock = createCallClock(timeoutMs, scope.settings, controller, parent?.clock);
    hosts.retain(codeVersion);
    this.#atEnd.push(() => {
      clock.close();
      hosts.release(codeVersion);
    });
    return {
      name,
      input,
      entry,
      context: this.context,
      scope,
      access: ["undeclared"],
      signal: controller.signal,
      clock,
      timeoutMs,
      limits,
      update: (update) => this.#update(run, update),
      caller: this.#caller,
      parentID: parent?.context.callID,
      emit: (event) => {
        run.emit(event);
        parent?.emit(event);
      },
      atEnd: this.#atEnd,
    };
  }
}

/** A call that could not be recorded is not made: after a crash, its session would not know of it. */
function notRecorded(error: unknown): ToolResult {
  const message = `The tool was not called, because its session could not be written. ${messageOf(error)}`;
  return failure("failed", message, { cause: error });
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
