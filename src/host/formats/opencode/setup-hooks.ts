import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../../core/error.ts";
import { type Content, textOf } from "../../../core/result.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import type { CallHooks, HookedCall, ShapedResult } from "../contributions.ts";

export type HookCallback = (event: Record<string, unknown>) => unknown;

/** The hooks of a plugin of OpenCode 2 around the calls of tools. Callbacks change the event in place. */
export class SetupHooks {
  readonly #before = new Set<HookCallback>();
  readonly #after = new Set<HookCallback>();

  /** The callbacks of an event; undefined for an event that does not occur here. */
  of(event: string): Set<HookCallback> | undefined {
    if (event === "execute.before") return this.#before;
    return event === "execute.after" ? this.#after : undefined;
  }

  get callHooks(): CallHooks | undefined {
    if (this.#before.size + this.#after.size === 0) return undefined;
    return {
      ...(this.#before.size > 0 ? { before: (call: HookedCall) => this.#runBefore(call) } : {}),
      ...(this.#after.size > 0
        ? { after: (call: HookedCall, result: ShapedResult) => this.#runAfter(call, result) }
        : {}),
    };
  }

  async #runBefore(call: HookedCall): Promise<{ input: unknown } | { refuse: string } | undefined> {
    const event: Record<string, unknown> = { ...callFields(call), input: structuredClone(call.input) };
    try {
      for (const callback of this.#before) await callback(event);
    } catch (thrown) {
      return { refuse: messageOf(thrown) };
    }
    return isDeepStrictEqual(event.input, call.input) ? undefined : { input: event.input };
  }

  async #runAfter(call: HookedCall, result: ShapedResult): Promise<Partial<ShapedResult> | undefined> {
    const event: Record<string, unknown> = { ...callFields(call), input: call.input, ...outcomeOf(result) };
    const original = structuredClone({ result: event.result, output: event.output, error: event.error });
    for (const callback of this.#after) await callback(event);
    if (result.isError) {
      const message = isObject(event.error) ? event.error.message : event.error;
      const isSame = isDeepStrictEqual(event.error, original.error);
      return isSame ? undefined : { content: [{ type: "text", text: String(message) }] };
    }
    const [changed, was] = [fields(event.result), fields(original.result)];
    // Betas have the data in `event.output` too.
    const data = isDeepStrictEqual(event.output, original.output) ? changed.output : event.output;
    return {
      ...(isDeepStrictEqual(changed.content, was.content) ? {} : { content: contentOf(changed.content) }),
      ...(isDeepStrictEqual(data, was.output) ? {} : { data }),
    };
  }
}

/** With the field names of OpenCode 2 and its betas. The agent is not known here. */
function callFields({ tool, session, callID }: HookedCall): Record<string, unknown> {
  return { tool, sessionID: session.id, agent: "", messageID: "", id: callID, callID, toolCallID: callID };
}

function outcomeOf({ content, data, isError }: ShapedResult): Record<string, unknown> {
  if (isError) return { status: "error", error: { message: textOf(content) } };
  const output = data === undefined ? {} : { output: structuredClone(data) };
  return { status: "completed", result: { content: content.map(toPart), ...output }, ...output };
}

function contentOf(content: unknown): Content[] {
  if (Array.isArray(content)) return content.map(fromPart);
  return [{ type: "text", text: typeof content === "string" ? content : JSON.stringify(content) }];
}

/** OpenCode 2 has texts, and files as URLs. */
function toPart(part: Content): object {
  if (part.type === "text") return { ...part };
  const { mimeType: mime, data } = part;
  const uri = data === undefined ? (part as { url?: string }).url : `data:${mime};base64,${data}`;
  return { type: "file", uri, mime, ...("name" in part ? { name: part.name } : {}) };
}

function fromPart(part: unknown): Content {
  const { type, text, uri, mime, name } = fields(part);
  if (type !== "file" || typeof uri !== "string") {
    return { type: "text", text: typeof text === "string" ? text : (JSON.stringify(part) ?? "") };
  }
  const mimeType = typeof mime === "string" ? mime : "application/octet-stream";
  const data = /^data:[^,]*;base64,(.*)$/s.exec(uri)?.[1];
  if (data !== undefined && mimeType.startsWith("image/")) return { type: "image", data, mimeType };
  return {
    type: "file",
    mimeType,
    ...(data === undefined ? { url: uri } : { data }),
    ...(typeof name === "string" ? { name } : {}),
  };
}

function fields(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
