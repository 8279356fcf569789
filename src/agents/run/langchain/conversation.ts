import type { Content } from "../../../core/result.ts";
import type { StoredEvent } from "../../../core/session-log.ts";
import { unknownEffect } from "../../../core/unknown-effect.ts";
import { describe, type ModelResult, type ResultFile, toModelResult } from "../model-result.ts";

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
interface ConversationCall {
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

type OpenCall = Omit<ConversationCall, "result"> & { result?: ModelResult };

interface OpenAnswer {
  readonly role: "assistant";
  readonly id: string;
  text: string;
  readonly calls: Map<string, OpenCall>;
}

type Prompt = ConversationMessage & { readonly role: "user" };

const INTERRUPTED: ModelResult = {
  text: `The call was interrupted. ${unknownEffect()}`,
  images: [],
  failed: true,
};

/** A conversation before a prompt. */
interface Conversation {
  readonly messages: readonly ConversationMessage[];
  /** The id of the message with the prompt. */
  readonly promptID: string;
}

/**
 * The conversation before the prompt that is being sent, which is the last message of the user. Calls that tools made, and calls
 * that belong to no message of a model, are not part of it. `linesOf` has the lines for attachments of a call that were stored.
 */
export async function readConversation(
  events: AsyncIterable<StoredEvent>,
  linesOf: (call: { readonly messageID: string; readonly callID: string }) => readonly string[],
): Promise<Conversation> {
  const messages: (Prompt | OpenAnswer)[] = [];
  const answers = new Map<string, OpenAnswer>();
  const prompts = new Set<string>([""]);
  let beforePrompt = 0;
  let promptID = "";
  /** The log of a process that ended early may have a call, but not the message of the call. */
  const answer = (id: string): OpenAnswer => {
    const known = answers.get(id);
    if (known) return known;
    const created: OpenAnswer = { role: "assistant", id, text: "", calls: new Map() };
    answers.set(id, created);
    messages.push(created);
    return created;
  };
  for await (const event of events) {
    if (event.type === "message.user") {
      beforePrompt = messages.length;
      promptID = event.messageID;
      prompts.add(event.messageID);
      messages.push({ role: "user", id: event.messageID, content: event.content });
    } else if (event.type === "message.complete") {
      answer(event.messageID).text = event.content
        .flatMap((part) => (part.type === "text" ? [part.text] : []))
        .join("\n");
    } else if (event.type === "tool.start" && event.parentID === undefined && !prompts.has(event.messageID)) {
      const { callID, tool, input } = event;
      answer(event.messageID).calls.set(callID, { callID, tool, input });
    } else if (event.type === "tool.complete" || event.type === "tool.failed") {
      const call = answers.get(event.messageID)?.calls.get(event.callID);
      if (call) call.result = toModelResult(event.result, inOrder(linesOf(event)));
    }
  }
  const earlier = messages.slice(0, beforePrompt);
  return { promptID, messages: earlier.flatMap((message) => (message.role === "user" ? [message] : ended(message))) };
}

/** Every call has a result, and no message is empty: providers refuse a conversation otherwise. */
function ended({ id, text, calls }: OpenAnswer): ConversationMessage[] {
  if (calls.size === 0 && text.trim() === "") return [];
  const all = [...calls.values()].map((call) => ({ ...call, result: call.result ?? INTERRUPTED }));
  return [{ role: "assistant", id, text, calls: all }];
}

function inOrder(lines: readonly string[]): (part: ResultFile) => string {
  let at = 0;
  return (part) => lines[at++] ?? describe(part);
}
