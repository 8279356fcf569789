import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../../core/error.ts";
import type { Content } from "../../../core/result.ts";
import type { CallHooks, HookedCall, ShapedResult } from "../contributions.ts";
import { type ContextOptions, createContext } from "./extension-context.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import type { Registrations } from "./registrations.ts";

interface ExtensionState {
  readonly registrations: Registrations;
  readonly runtime: PiRuntime;
}

/** Call hooks that run the handlers of an extension; undefined if it handles no event of calls. */
export function callHooks(extension: ExtensionState): CallHooks | undefined {
  const handlesCalls = extension.registrations.listensTo(
    "tool_call",
    "tool_result",
    "tool_execution_start",
    "tool_execution_end",
  );
  if (!handlesCalls) return undefined;
  return { before: (call) => before(call, extension), after: (call, result) => after(call, result, extension) };
}

type Before = Awaited<ReturnType<NonNullable<CallHooks["before"]>>>;

/** A handler may change the input in place, return a new one, or block the call. An error of a handler blocks the call. */
async function before(call: HookedCall, extension: ExtensionState): Promise<Before> {
  const { registrations, runtime } = extension;
  const options = contextOptions(call);
  const ids = { toolCallId: call.callID, toolName: call.tool };
  await registrations.emit({ type: "tool_execution_start", ...ids, args: call.input }, options);
  const event = { type: "tool_call", ...ids, input: copyOf(call.input) };
  for (const handler of registrations.handlers("tool_call")) {
    try {
      const answer = fieldsOf(
        await runtime.inDirectory(call.directory, () => handler(event, createContext(runtime, options))),
      );
      if (answer.block) return { refuse: reasonOf(answer.reason, runtime) };
      if (typeof answer.input === "object" && answer.input !== null) event.input = answer.input;
    } catch (error) {
      return {
        refuse: `The extension ${runtime.file.path} failed in its tool_call handler, so the call was not made: ${messageOf(error)}`,
      };
    }
  }
  return isDeepStrictEqual(event.input, call.input) ? undefined : { input: event.input };
}

/** Each handler sees the result as the handlers before it changed it. */
async function after(
  call: HookedCall,
  result: ShapedResult,
  extension: ExtensionState,
): Promise<Partial<ShapedResult>> {
  const { registrations, runtime } = extension;
  const options = contextOptions(call);
  const ids = { toolCallId: call.callID, toolName: call.tool };
  let changes: Partial<ShapedResult> = {};
  for (const handler of registrations.handlers("tool_result")) {
    const { content, data: details, isError } = { ...result, ...changes };
    const event = { type: "tool_result", ...ids, input: call.input, content: [...content], details, isError };
    try {
      const answer = await runtime.inDirectory(call.directory, () => handler(event, createContext(runtime, options)));
      changes = { ...changes, ...changesOf(fieldsOf(answer)) };
    } catch (error) {
      runtime.logFailure('its handler of "tool_result"', error);
    }
  }
  const { content, data: details, isError } = { ...result, ...changes };
  await registrations.emit({ type: "tool_execution_end", ...ids, result: { content, details }, isError }, options);
  return changes;
}

function contextOptions({ session, directory }: HookedCall): ContextOptions {
  return { session, directory };
}

function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === "object" && answer !== null ? (answer as Record<string, unknown>) : {};
}

function reasonOf(reason: unknown, runtime: PiRuntime): string {
  return typeof reason === "string" && reason !== ""
    ? reason
    : `The extension ${runtime.file.path} blocked this call. Do not repeat it unchanged.`;
}

/** Inputs may contain values that cannot be cloned: the transforms of a schema return anything. */
function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch {
    return typeof input === "object" && input !== null ? { ...input } : input;
  }
}

function changesOf(answer: Readonly<Record<string, unknown>>): Partial<ShapedResult> {
  const { content, details, isError } = answer;
  return {
    ...(Array.isArray(content) ? { content: content.map(toContent) } : {}),
    ...(details === undefined ? {} : { data: details }),
    ...(typeof isError === "boolean" ? { isError } : {}),
  };
}

function toContent(part: unknown): Content {
  const { type, text, data, mimeType } = fieldsOf(part);
  if (type === "text") return { type, text: String(text) };
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") return { type, data, mimeType };
  if (type === "file" && typeof mimeType === "string") return part as Content;
  return { type: "text", text: typeof part === "string" ? part : (JSON.stringify(part) ?? "") };
}
