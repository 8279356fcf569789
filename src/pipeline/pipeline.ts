import { messageOf } from "../core/error.ts";
import type { ToolEvent, Update } from "../core/events.ts";
import type { ToolResult } from "../core/result.ts";
import type { SessionSnapshot } from "../core/session.ts";
import { untilAborted } from "../core/until-aborted.ts";
import { projectOf } from "../discovery/repository.ts";
import { NOT_STARTED, TIMEOUT } from "../protocol/hosts.ts";
import type { ContextData } from "../protocol/messages.ts";
import type { Entry } from "../registry/entry.ts";
import type { Call, CallRequest, Run } from "./call.ts";
import { Clock } from "./clock.ts";
import { failure, stopped } from "./failures.ts";
import { ToolRun } from "./tool-run.ts";

/** What the pipeline is made of. */
export interface PipelineOptions {
  readonly directory: string;
  readonly worktree: string;
  /** What waits for a tool that is not there and that a file which is being read may bring; undefined where none may. */
  readonly ready: (name: string) => Promise<void> | undefined;
  /** The tool of that name, or the result that says why there is none. */
  readonly resolve: (request: CallRequest) => Entry | ToolResult;
  readonly timeoutMs: (entry: Entry, request: CallRequest) => number;
  /** How long a call may wait for a host to begin it. */
  readonly waitMs: () => number;
  /** Keeps the code of a tool as it is now until the call is over. Answers with what lets it go. */
  readonly hold: (entry: Entry) => () => void;
  /** What is known of the session of a call, if anything. */
  readonly session: (sessionID: string, given: CallRequest["session"]) => SessionSnapshot | undefined;
  /** Everything between a resolved call and its result. */
  readonly handle: (call: Call) => Promise<ToolResult>;
  readonly onEvent: (event: ToolEvent, request: CallRequest) => void;
}

/** The only way a tool runs: resolve, then the steps, and from first to last recorded. */
export function createPipeline(options: PipelineOptions): (request: CallRequest) => Run {
  return (request) => {
    const context = contextOf(request, options);
    return new ToolRun(context.callID, (run) => record(run, request, context, options));
  };
}

/** Emits the start, whatever happens in between, and exactly one end. */
async function record(
  run: ToolRun,
  request: CallRequest,
  context: ContextData,
  options: PipelineOptions,
): Promise<ToolResult> {
  const startedAt = performance.now();
  const emit = (event: ToolEvent): void => {
    run.emit(event);
    options.onEvent(event, request);
  };
  emit({ ...about(request, context), type: "tool.start", input: request.input });
  let over = false;
  const update = (update: Update): void => {
    if (!over) emit({ ...update, ...about(request, context), type: "tool.update" });
  };
  const bare = await perform(run, request, context, update, options).catch(fault);
  over = true;
  const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
  const result: ToolResult = { ...bare, notes: { ...bare.notes, durationMs } };
  if (result.ok) emit({ ...about(request, context), type: "tool.complete", result });
  else emit({ ...about(request, context), type: "tool.failed", result });
  return result;
}

function about(
  { name }: CallRequest,
  { callID, sessionID, messageID, agent }: ContextData,
): Omit<ToolEvent, "type"> & { at: number } {
  return { callID, tool: name, sessionID, messageID, agent, at: Date.now() };
}

async function perform(
  run: ToolRun,
  request: CallRequest,
  context: ContextData,
  update: (update: Update) => void,
  options: PipelineOptions,
): Promise<ToolResult> {
  const { controller } = run;
  const forward = (): void => controller.abort();
  if (request.signal?.aborted) forward();
  request.signal?.addEventListener("abort", forward, { once: true });
  try {
    const { name, input = {} } = request;
    const { signal } = controller;
    const reading = options.ready(name);
    if (reading) await untilAborted(signal, () => reading);
    if (signal.aborted) return stopped({ name, signal, timeoutMs: 0 });
    const entry = options.resolve(request);
    if (!("manifest" in entry)) return entry;
    const timeoutMs = options.timeoutMs(entry, request);
    const clock = new Clock({ ms: timeoutMs, waitMs: options.waitMs() }, (why) =>
      controller.abort(why === "not started" ? NOT_STARTED : TIMEOUT),
    );
    const atEnd = [options.hold(entry)];
    const access = ["undeclared"] as const;
    try {
      const session = options.session(context.sessionID, request.session);
      const call = { name, input, entry, context, access, signal, clock, timeoutMs, update, atEnd };
      return await options.handle(session ? { ...call, session } : call);
    } finally {
      for (const act of atEnd) act();
    }
  } finally {
    request.signal?.removeEventListener("abort", forward);
  }
}

/** A fault of ours fails the call, not the caller. */
function fault(error: unknown): ToolResult {
  return failure(
    "failed",
    `The call failed inside Toolwright: ${messageOf(error)}. This is no fault of the tool: report it, with the call.`,
  );
}

/** What is known of a call before anything is done about it. */
export function contextOf(
  request: CallRequest,
  { directory, worktree }: Pick<PipelineOptions, "directory" | "worktree">,
): ContextData {
  return {
    sessionID: request.sessionID ?? "default",
    messageID: request.messageID ?? "",
    callID: request.callID ?? crypto.randomUUID(),
    agent: request.agent ?? "",
    directory: request.directory ?? directory,
    worktree: request.directory === undefined ? worktree : projectOf(request.directory),
    extra: request.extra ?? {},
  };
}
