import type { DurableEvent } from "../core/session-log.ts";
import { unknownEffect } from "../core/unknown-effect.ts";

export type StartEvent = DurableEvent & { readonly type: "tool.start" };
/** The end of a call. */
export type EndEvent = DurableEvent & { readonly type: "tool.complete" | "tool.failed" };

/** The end of a call whose result cannot be stored. */
export function withoutResult(end: EndEvent): EndEvent {
  const message = "The result could not be recorded.";
  const content = [{ type: "text", text: message }] as const;
  const { durationMs } = end.result.notes;
  if (end.type === "tool.complete") return { ...end, result: { ok: true, content, notes: { durationMs } } };
  const error = { code: end.result.error.code, message };
  return { ...end, result: { ok: false, content, error, notes: { durationMs } } };
}

/** The end of a call that goes on when its session is no longer recorded. */
export function unknownEnd(
  { callID, tool, messageID, agent, parentID }: StartEvent,
  durationMs: number,
): DurableEvent & { readonly type: "tool.failed" } {
  const message = `The program closed its toolbox before this call ended. ${unknownEffect()}`;
  return {
    type: "tool.failed",
    ...{ callID, tool, messageID, agent, ...(parentID === undefined ? {} : { parentID }) },
    result: { ok: false, content: [], error: { code: "aborted", message }, notes: { durationMs } },
  };
}
