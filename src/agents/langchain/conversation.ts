import type { Content } from "../../core/result.ts";
import type { StoredEvent } from "../../core/session-log.ts";
import { type ModelResult, toModelResult } from "./model-result.ts";

/** A message of a conversation, as it is read from the log. */
export type ConversationMessage =
  | { readonly role: "user"; readonly id: string; readonly content: readonly Content[] }
  | {
      readonly role: "assistant";
      readonly id: string;
      readonly text: string;
      readonly calls: readonly ConversationCall[];
    };

/** A call with its result: a provider refuses a conversation in which one is missing. */
export interface ConversationCall {
  readonly callID: string;
  readonly tool: string;
  readonly input: unknown;
  readonly result: ModelResult;
}

/** The events that a conversation is built from. */
export const CONVERSATION_EVENTS = [
  "message.user",
  "message.complete",
  "tool.start",
  "tool.complete",
  "tool.failed",
] as const;

interface OpenCall {
  readonly callID: string;
  readonly tool: string;
  readonly input: unknown;
  result?: ModelResult;
}

const INTERRUPTED: ModelResult = {
  text: "The call was interrupted. It is not known whether it had an effect: check before you repeat it.",
  images: [],
  failed: true,
};

/**
 * The conversation before the prompt that is being sent, which is the last message of the user. Calls that tools made, and calls
 * of others than the model, are not part of it.
 */
export async function readConversation(events: AsyncIterable<StoredEvent>): Promise<ConversationMessage[]> {
  const messages: ConversationMessage[] = [];
  const calls = new Map<string, Map<string, OpenCall>>();
  let beforePrompt = 0;
  for await (const event of events) {
    switch (event.type) {
      case "message.user":
        beforePrompt = messages.length;
        messages.push({ role: "user", id: event.messageID, content: event.content });
        break;
      case "message.complete": {
        const { messageID, content } = event;
        const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
        if (!calls.has(messageID)) calls.set(messageID, new Map());
        messages.push({ role: "assistant", id: messageID, text, calls: [] });
        break;
      }
      case "tool.start": {
        if (event.parentID !== undefined) break;
        const { messageID, callID, tool, input } = event;
        const ofMessage = calls.get(messageID) ?? new Map<string, OpenCall>();
        calls.set(messageID, ofMessage.set(callID, { callID, tool, input }));
        break;
      }
      case "tool.complete":
      case "tool.failed": {
        const call = calls.get(event.messageID)?.get(event.callID);
        if (call) call.result = toModelResult(event.result);
        break;
      }
    }
  }
  return messages.slice(0, beforePrompt).flatMap((message) => withCalls(message, calls));
}

/** Providers refuse messages without content. */
function withCalls(
  message: ConversationMessage,
  calls: ReadonlyMap<string, ReadonlyMap<string, OpenCall>>,
): ConversationMessage[] {
  if (message.role === "user") return [message];
  const own = [...(calls.get(message.id)?.values() ?? [])].map((call) => ({
    ...call,
    result: call.result ?? INTERRUPTED,
  }));
  return own.length === 0 && message.text.trim() === "" ? [] : [{ ...message, calls: own }];
}
