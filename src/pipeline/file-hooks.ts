import type { HookedCall, HookedResult } from "../core/hooked.ts";
import type { ToolResult } from "../core/result.ts";
import type { FileRef, FileUnavailable, Hosts, QueryOutcome } from "../protocol/hosts.ts";
import type { HostQuery, OutputLimits, QueryKind } from "../protocol/messages.ts";
import type { Call, Step } from "./call.ts";
import { failure, stopped, unavailable } from "./failures.ts";

/** A file that has a say in the calls of all tools. */
export interface HookFile {
  readonly ref: FileRef;
  readonly hooks: readonly ("before" | "after")[];
}

/** Who is asked, and how what they make of a result is cut. */
export interface HookOptions {
  readonly hosts: Hosts;
  readonly files: () => readonly HookFile[];
  readonly outputLimits: (call: Call) => OutputLimits;
  /** Lets the dialogs of hooks belong to the call. Answers with what ends that. */
  readonly followDialogs: (call: Call) => () => void;
}

/** Lets files change or refuse a call before it is checked. A file that cannot say what it thinks of it refuses it. */
export function createBefore(options: HookOptions): Step {
  return orNothing(options, async (call, next) => {
    call.atEnd.push(options.followDialogs(call));
    const asked = await askBefore(call, options);
    return "input" in asked ? next(asked) : asked;
  });
}

/** Lets files change the result of a call that has run, well or not. */
export function createAfter(options: HookOptions): Step {
  return orNothing(options, async (call, next) => {
    const result = await next(call);
    // An input that would not do has not come to the tool.
    const hasRun = result.ok || result.error.code !== "invalid_input";
    return hasRun ? changed(call, result, options) : result;
  });
}

/** Where there are no hooks, a call does not pay for them. */
function orNothing({ files }: HookOptions, step: Step): Step {
  return (call, next) => (files().length === 0 ? next(call) : step(call, next));
}

async function askBefore(given: Call, options: HookOptions): Promise<Call | ToolResult> {
  let call = given;
  for (const { ref } of options.files().filter(({ hooks }) => hooks.includes("before"))) {
    const request = { kind: "before", file: ref.file.file, call: hooked(call) } as const;
    const reply = await askTimed<"before">(call, ref, request, options);
    if (call.signal.aborted) return stopped(call);
    if (reply.kind === "changed") call = { ...call, input: reply.input };
    else if (reply.kind === "refused")
      return failure("denied", `"${call.name}" was not allowed to run. ${reply.reason}`);
    else if (reply.kind !== "passed") return cannotSay(call, ref, reply);
  }
  return call;
}

async function changed(call: Call, given: ToolResult, options: HookOptions): Promise<ToolResult> {
  let result = given;
  for (const { ref } of options.files().filter(({ hooks }) => hooks.includes("after"))) {
    // What it had shown before it was stopped, no hook has looked at.
    if (call.signal.aborted) return stopped(call);
    const output = options.outputLimits(call);
    const file = ref.file.file;
    const request = { kind: "after", file, call: hooked(call), result: toHooked(result), output } as const;
    const reply = await askTimed<"after">(call, ref, request, options);
    if (reply.kind === "failed") return failure("failed", reply.message);
    if (reply.kind !== "after") return call.signal.aborted ? stopped(call) : unseen(call, ref, reply);
    if (reply.result) result = fromHooked(reply.result, reply.truncated, result);
  }
  return result;
}

/** The time that a hook takes counts as time of the call. */
function askTimed<K extends QueryKind>(
  { clock, signal }: Call,
  ref: FileRef,
  request: HostQuery<K>,
  { hosts }: HookOptions,
): Promise<QueryOutcome<K> | FileUnavailable> {
  return clock.countFrom((started) => hosts.query<K>(ref, request, signal, started));
}

function cannotSay(call: Call, ref: FileRef, reply: QueryOutcome<QueryKind> | FileUnavailable): ToolResult {
  if (reply.kind === "unavailable") return unavailable(call.name, reply);
  const failed = `The hook in ${ref.file.file} failed: ${reasonOf(reply).replace(/\.$/, "")}. Correct that file, or disable it.`;
  return failure("denied", `"${call.name}" was not allowed to run. ${failed}`);
}

/** A hook may be there to take out what nobody should see: what it has not looked at is not shown. */
function unseen(call: Call, ref: FileRef, reply: QueryOutcome<QueryKind> | FileUnavailable): ToolResult {
  const message = `"${call.name}" has run, but the hook in ${ref.file.file} failed to look at its result, which is therefore not shown: ${reasonOf(reply)}. Try again only if the tool is safe to repeat.`;
  return failure("failed", message);
}

function reasonOf(reply: QueryOutcome<QueryKind> | FileUnavailable): string {
  if (reply.kind === "failed") return reply.message;
  if (reply.kind === "died") return reply.reason;
  return (reply.kind === "unavailable" && reply.problem?.message) || "it did not answer";
}

function hooked({ name, input, context, session }: Call): HookedCall {
  const { callID, directory, sessionID } = context;
  return { tool: name, input, callID, directory, session: session ?? { id: sessionID } };
}

/** How a call ended, as hooks see it. */
export function toHooked(result: ToolResult): HookedResult {
  const { title } = result.notes;
  const content = result.ok ? result.content : [{ type: "text" as const, text: result.error.message }];
  return {
    content,
    isError: !result.ok,
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(title === undefined ? {} : { title }),
  };
}

/** What was cut before stays said, where nothing was cut anew. */
export function fromHooked(
  { content, data, title, isError }: HookedResult,
  truncated: ToolResult["notes"]["truncated"],
  before: ToolResult,
): ToolResult {
  const notes = { ...before.notes, ...(title === undefined ? {} : { title }), ...(truncated ? { truncated } : {}) };
  const given = data === undefined ? {} : { data };
  if (!isError) return { ok: true, content, ...given, notes };
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const code = before.ok ? "failed" : before.error.code;
  const kept = before.ok ? {} : { content: before.content, data: before.error.data };
  return { ...failure(code, text || "The tool failed without saying why.", kept), ...given, notes };
}
