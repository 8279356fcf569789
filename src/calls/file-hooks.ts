import type { HookedCall } from "../core/hooked-call.ts";
import type { ShapedResult, ToolResult } from "../core/result.ts";
import type { FileRef, FileUnavailable, Hosts, QueryOutcome } from "../host/protocol/hosts.ts";
import type { HostQuery, QueryKind } from "../host/protocol/messages.ts";
import type { Call, HookFile } from "./call.ts";
import { failure, notAllowed, resultWithheld, toolUnavailable } from "./failures.ts";

/** How a hook of the code, the settings or a file is asked. Neither function rejects. If it fails, it refuses the call, or hides its result. */
export interface HookStep {
  /** The call with the input that the hook chose, or the result that refuses it. */
  before(call: Call): Promise<Call | ToolResult>;
  after(call: Call, result: ToolResult): Promise<ToolResult>;
}

/** The hooks of files. A file that does not answer fails. */
export function fileHooks(files: readonly HookFile[], moment: "before" | "after", hosts: Hosts): HookStep[] {
  return files
    .filter(({ hooks }) => hooks.includes(moment))
    .map(({ ref }) => ({
      before: (call) => askBefore(call, ref, hosts),
      after: (call, result) => askAfter(call, result, ref, hosts),
    }));
}

async function askBefore(call: Call, ref: FileRef, hosts: Hosts): ReturnType<HookStep["before"]> {
  const request = { kind: "before", file: ref.file.file, call: toHookedCall(call), ...uiOf(call) } as const;
  const reply = await askTimed<"before">(call, ref, request, hosts);
  if (reply.kind === "changed") return { ...call, input: reply.input };
  if (reply.kind === "refused") return notAllowed(call.name, reply.reason);
  return reply.kind === "passed" ? call : hookFailed(call, ref, reply);
}

async function askAfter(call: Call, result: ToolResult, ref: FileRef, hosts: Hosts): Promise<ToolResult> {
  const { output } = call.limits;
  const { file } = ref.file;
  const asked = { file, call: toHookedCall(call), result: toShaped(result), output };
  const request = { kind: "after", ...asked, ...uiOf(call) } as const;
  const reply = await askTimed<"after">(call, ref, request, hosts);
  if (reply.kind === "failed") return failure("failed", reply.message);
  if (reply.kind !== "after") return resultWithheld(call.name, `in ${file}`, reasonOf(reply));
  return reply.result ? fromShaped(reply.result, reply.truncated, result) : result;
}

/** The time of a hook counts as time of the call, and its dialogs as dialogs of the call. */
function askTimed<K extends QueryKind>(
  call: Call,
  ref: FileRef,
  request: HostQuery<K>,
  hosts: Hosts,
): Promise<QueryOutcome<K> | FileUnavailable> {
  call.atEnd.push(call.scope.session.followDialogs(call));
  return call.clock.countFrom((started) => hosts.query<K>(ref, request, call.signal, started));
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
