import { messageOf } from "../../../core/error.ts";
import { type Content, textOf } from "../../../core/result.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { CallHooks, HookedCall, ShapedResult } from "../contributions.ts";
import type { AmpRegistrations } from "./amp-registrations.ts";

/** The registrations of a plugin, its file, and the second argument of its handlers. */
interface AmpPlugin {
  readonly registrations: AmpRegistrations;
  readonly file: string;
  contextFor(sessionID: string): object;
}

/** Undefined if the plugin handles no event of calls. */
export function ampHooks(plugin: AmpPlugin): CallHooks | undefined {
  const handles = (event: string): boolean => plugin.registrations.handlers(event).length > 0;
  if (!handles("tool.call") && !handles("tool.result")) return undefined;
  return { before: (call) => before(call, plugin), after: (call, result) => after(call, result, plugin) };
}

type Answer = { readonly input: unknown } | { readonly refuse: string } | undefined;

/** Handlers run one after another. Each sees the input as those before it changed it. */
async function before(call: HookedCall, plugin: AmpPlugin): Promise<Answer> {
  let input = call.input;
  for (const handler of plugin.registrations.handlers("tool.call")) {
    const answer = await answerOf(() => handler(eventOf(call, input), plugin.contextFor(call.session.id)), plugin);
    if (answer && "refuse" in answer) return answer;
    if (answer) input = answer.input;
  }
  return input === call.input ? undefined : { input };
}

/** An error, and an answer that Amp does not know, refuse the call. No answer leaves it unchanged. */
async function answerOf(handle: () => unknown, { file }: AmpPlugin): Promise<Answer> {
  let answer: unknown;
  try {
    answer = await handle();
  } catch (thrown) {
    return {
      refuse: `The plugin ${file} failed in its tool.call handler, so the call was not made: ${messageOf(thrown)}`,
    };
  }
  if (answer === undefined || answer === null) return undefined;
  const { action, message, input, result } = isObject(answer) ? answer : {};
  switch (action) {
    case "allow":
      return undefined;
    case "modify":
      if (isObject(input)) return { input };
      return { refuse: `The plugin ${file} changed the input to a value that is no object, so the call was not made.` };
    case "reject-and-continue":
    case "error":
      return { refuse: textOr(message, `The plugin ${file} rejected this call. Do not repeat it unchanged.`) };
    case "synthesize":
      return {
        refuse: `The plugin ${file} answered in place of the tool: ${isObject(result) ? result.output : result}`,
      };
    default:
      return {
        refuse: `The plugin ${file} answered with an unknown action, so the call was not made. Return { action: "allow" } or { action: "reject-and-continue", message }.`,
      };
  }
}

function textOr(text: unknown, fallback: string): string {
  return typeof text === "string" && text !== "" ? text : fallback;
}

/** The input is a copy: handlers change a call only by their answer. */
function eventOf({ tool, callID, session }: HookedCall, input: unknown): object {
  return {
    thread: { id: session.id },
    toolUseID: callID,
    tool,
    input: tryOrUndefined(() => structuredClone(input)) ?? input,
  };
}

async function after(call: HookedCall, result: ShapedResult, plugin: AmpPlugin): Promise<Partial<ShapedResult>> {
  let changes: Partial<ShapedResult> = {};
  for (const handler of plugin.registrations.handlers("tool.result")) {
    const { content, isError } = { ...result, ...changes };
    const text = textOf(content);
    const output = content.every(({ type }) => type === "text") ? text : [...content];
    const event = { ...eventOf(call, call.input), status: isError ? "error" : "done", output };
    const answer = await handler(isError ? { ...event, error: text } : event, plugin.contextFor(call.session.id));
    changes = { ...changes, ...changesOf(answer) };
  }
  return changes;
}

function changesOf(answer: unknown): Partial<ShapedResult> {
  if (!isObject(answer)) return {};
  const { status, output, error } = answer;
  const shown = output ?? (status === "done" ? undefined : error);
  return {
    ...(shown === undefined ? {} : { content: toContent(shown) }),
    ...(typeof status === "string" ? { isError: status !== "done" } : {}),
  };
}

function toContent(output: unknown): Content[] {
  const isPart = (part: unknown): part is Content =>
    isObject(part) &&
    (part.type === "text" ? typeof part.text === "string" : part.type === "image" && typeof part.data === "string");
  if (Array.isArray(output) && output.every(isPart)) return output;
  return [{ type: "text", text: typeof output === "string" ? output : (JSON.stringify(output) ?? "") }];
}
