import type { HookedCall } from "../core/hooked-call.ts";
import type { ShapedResult, ToolResult } from "../core/result.ts";
import type { FileRef, FileUnavailable, Hosts, QueryOutcome } from "../host/protocol/hosts.ts";
import type { HostQuery, QueryKind } from "../host/protocol/messages.ts";
import type { Call, Step } from "./call.ts";
import { failure, notAllowed, resultWithheld, stopped, toolUnavailable } from "./failures.ts";

/** Lets hook files change or refuse a call before it is validated. A file that fails to answer refuses it. */
export function createFileHooksBefore(hosts: Hosts): Step {
  return (call, next) => (call.scope.hooks.files().length === 0 ? next(call) : beforeCall(call, next, hosts));
}

/** Lets hook files change the result of a call that has run, successful or not. */
export function createFileHooksAfter(hosts: Hosts): Step {
  return (call, next) => (call.scope.hooks.files().length === 0 ? next(call) : afterCall(call, next, hosts));
}

async function beforeCall(call: Call, next: Parameters<Step>[1], hosts: Hosts): Promise<ToolResult> {
  call.atEnd.push(call.scope.session.followDialogs(call));
  const asked = await askBefore(call, hosts);
  return "input" in asked ? next(asked) : asked;
}

async function afterCall(call: Call, next: Parameters<Step>[1], hosts: Hosts): Promise<ToolResult> {
  const result = await next(call);
  // A tool whose input was refused has not run.
  const hasRun = result.ok || result.error.code !== "invalid_input";
  return hasRun ? askAfter(call, result, hosts) : result;
}

async function askBefore(original: Call, hosts: Hosts): Promise<Call | ToolResult> {
  let call = original;
  for (const { ref } of call.scope.hooks.files().filter(({ hooks }) => hooks.includes("before"))) {
    const request = { kind: "before", file: ref.file.file, call: toHookedCall(call), ...uiOf(call) } as const;
    const reply = await askTimed<"before">(call, ref, request, hosts);
    if (call.signal.aborted) return stopped(call);
    if (reply.kind === "changed") call = { ...call, input: reply.input };
    else if (reply.kind === "refused") return notAllowed(call.name, reply.reason);
    else if (reply.kind !== "passed") return hookFailed(call, ref, reply);
  }
  return call;
}

async function askAfter(call: Call, original: ToolResult, hosts: Hosts): Promise<ToolResult> {
  let result = original;
  for (const { ref } of call.scope.hooks.files().filter(({ hooks }) => hooks.includes("after"))) {
    // The partial output of a stopped call has not passed the hooks.
    if (call.signal.aborted) return stopped(call);
    const { output } = call.limits;
    const file = ref.file.file;
    const asked = { file, call: toHookedCall(call), result: toShaped(result), output };
    const request = { kind: "after", ...asked, ...uiOf(call) } as const;
    const reply = await askTimed<"after">(call, ref, request, hosts);
    if (reply.kind === "failed") return failure("failed", reply.message);
    if (reply.kind !== "after")
      return call.signal.aborted ? stopped(call) : resultWithheld(call.name, `in ${ref.file.file}`, reasonOf(reply));
    if (reply.result) result = fromShaped(reply.result, reply.truncated, result);
  }
  return result;
}

/** The time of a hook counts as time of the call. */
function askTimed<K extends QueryKind>(
  { clock, signal }: Call,
  ref: FileRef,
  request: HostQuery<K>,
  hosts: Hosts,
): Promise<QueryOutcome<K> | FileUnavailable> {
  return clock.countFrom((started) => hosts.query<K>(ref, request, signal, started));
}

function hookFailed(call: Call, ref: FileRef, reply: QueryOutcome<QueryKind> | FileUnavailable): ToolResult {
  if (reply.kind === "unavailable") return toolUnavailable(call.name, reply);
  const failed = `The hook in ${ref.file.file} failed: ${reasonOf(reply).replace(/\.$/, "")}. Correct that file, or disable it.`;
  return notAllowed(call.name, failed);
}

function reasonOf(reply: QueryOutcome<QueryKind> | FileUnavailable): string {
  if (reply.kind === "failed") return reply.message;
  if (reply.kind === "died") return reply.reason;
  if (reply.kind === "blocked") return "it blocks its process";
  return (reply.kind === "unavailable" && reply.problem?.message) || "it did not answer";
}

function toHookedCall({ name, input, context, scope: { session } }: Call): HookedCall {
  const { callID, directory } = context;
  return { tool: name, input, callID, directory, session: session.snapshot ?? { id: session.id } };
}

function uiOf({ scope }: Call): { readonly hasUI?: true } {
  return scope.hasUI ? { hasUI: true } : {};
}

/** The result of a call, as hooks see it. */
export function toShaped(result: ToolResult): ShapedResult {
  const { title } = result.notes;
  const content = result.ok ? result.content : [{ type: "text" as const, text: result.error.message }];
  return {
    content,
    isError: !result.ok,
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(title === undefined ? {} : { title }),
  };
}

/** The result that a hook returned. The notes of the original stay, unless the hook changes them. */
export function fromShaped(
  { content, data, title, isError }: ShapedResult,
  truncated: ToolResult["notes"]["truncated"],
  original: ToolResult,
): ToolResult {
  const notes = { ...original.notes, ...(title === undefined ? {} : { title }), ...(truncated ? { truncated } : {}) };
  const withData = data === undefined ? {} : { data };
  if (!isError) return { ok: true, content, ...withData, notes };
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const code = original.ok ? "failed" : original.error.code;
  const more = original.ok ? {} : { content: original.content, data: original.error.data };
  return { ...failure(code, text || "The tool failed without a message.", more), ...withData, notes };
}
