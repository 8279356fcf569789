import { textOf } from "../../core/result.ts";
import type { DurableEvent, LiveEvent, PartialEvent } from "../../core/session-log.ts";
import { setBounded } from "../../platform/values/set-bounded.ts";

/** The maximum length of the text of a message, of which the end is kept, and of the text of one merged event. */
const MAX_TEXT = 1_000_000;
const MAX_MERGED_TEXT = 64_000;
/** The maximum number of unfinished messages and calls, each. The oldest are dropped. */
const MAX_UNFINISHED = 1_000;
/** Of how many finished messages and calls late live events are recognized. */
const MAX_FINISHED = 1_000;

/** What has been streamed so far of the unfinished messages and calls of a session. */
export class PartialState {
  readonly #messages = new Map<string, PartialEvent["messages"][number]>();
  readonly #calls = new Map<string, PartialEvent["calls"][number]>();
  readonly #finishedMessages = new Map<string, true>();
  readonly #finishedCalls = new Map<string, true>();

  get isEmpty(): boolean {
    return this.#messages.size === 0 && this.#calls.size === 0;
  }

  /** False if the event has to be ignored: its message or call has ended, or it is malformed. */
  add(event: LiveEvent): boolean {
    if (typeof event !== "object" || event === null) return false;
    if (event.type === "tool.update") return this.#addUpdate(event);
    if (event.type !== "message.delta" && event.type !== "thinking.delta") return false;
    const { messageID, text } = event;
    if (typeof messageID !== "string" || typeof text !== "string" || this.#finishedMessages.has(messageID))
      return false;
    const before = this.#messages.get(messageID) ?? { messageID, text: "", thinking: "" };
    const field = event.type === "message.delta" ? "text" : "thinking";
    const message = { ...before, [field]: endOf(before[field] + text) };
    setBounded(this.#messages, messageID, message, MAX_UNFINISHED);
    return true;
  }

  #addUpdate({ type: _type, ...update }: LiveEvent & { readonly type: "tool.update" }): boolean {
    const { callID } = update;
    if (typeof callID !== "string" || this.#finishedCalls.has(callID)) return false;
    setBounded(this.#calls, callID, { ...this.#calls.get(callID), ...update }, MAX_UNFINISHED);
    return true;
  }

  /**
   * The live events that are missing before an event that completes a message: another process, which streams it, may have written
   * the whole message before its last part was read.
   */
  missingBefore(event: DurableEvent): LiveEvent[] {
    const streamed = event.type === "message.complete" ? this.#messages.get(event.messageID) : undefined;
    if (event.type !== "message.complete" || !streamed) return [];
    const { messageID, content, thinking = "" } = event;
    const deltas: LiveEvent[] = [
      { type: "thinking.delta", messageID, text: restOf(thinking, streamed.thinking) },
      { type: "message.delta", messageID, text: restOf(textOf(content), streamed.text) },
    ];
    return deltas.filter((delta) => "text" in delta && delta.text !== "");
  }

  /** Removes what an event completes. A call may have the id of one that has ended. */
  finish(event: DurableEvent): void {
    if (event.type === "tool.start") this.#finishedCalls.delete(event.callID);
    const { messageID, callIDs, allMessages } = completedBy(event);
    for (const callID of callIDs) {
      this.#calls.delete(callID);
      setBounded(this.#finishedCalls, callID, true, MAX_FINISHED);
    }
    if (allMessages) this.#messages.clear();
    if (messageID === undefined) return;
    this.#messages.delete(messageID);
    setBounded(this.#finishedMessages, messageID, true, MAX_FINISHED);
  }

  /** Undefined if there is nothing unfinished. */
  snapshot(): PartialEvent | undefined {
    if (this.isEmpty) return undefined;
    return { type: "session.partial", messages: [...this.#messages.values()], calls: [...this.#calls.values()] };
  }
}

interface Completed {
  readonly messageID?: string;
  readonly callIDs: readonly string[];
  /** Whether no message of the session continues. */
  readonly allMessages?: true;
}

/** The messages and calls that have nothing more to stream after an event. */
export function completedBy(event: DurableEvent): Completed {
  switch (event.type) {
    case "message.complete":
      return { messageID: event.messageID, callIDs: [] };
    case "tool.complete":
    case "tool.failed":
      return { callIDs: [event.callID] };
    case "session.interrupted":
      return { callIDs: event.calls, allMessages: true };
    case "session.idle":
    case "session.error":
      return { callIDs: [], allMessages: true };
    default:
      return { callIDs: [] };
  }
}

/** What follows the beginning of a text; empty if that was not its beginning, or if nothing was streamed. */
function restOf(whole: string, streamed: string): string {
  return streamed !== "" && whole.startsWith(streamed) ? whole.slice(streamed.length) : "";
}

function endOf(text: string): string {
  return text.length > MAX_TEXT ? text.slice(-MAX_TEXT) : text;
}

/** Two events in a row as one; undefined if that is not possible. */
export function mergeLive(first: { readonly type: string }, second: LiveEvent): LiveEvent | undefined {
  if (first.type !== second.type) return undefined;
  const before = first as LiveEvent;
  if (before.type === "tool.update" || second.type === "tool.update") {
    const isSameCall =
      before.type === "tool.update" && second.type === "tool.update" && before.callID === second.callID;
    return isSameCall ? { ...before, ...second } : undefined;
  }
  if (before.messageID !== second.messageID || before.text.length + second.text.length > MAX_MERGED_TEXT)
    return undefined;
  return { ...second, text: before.text + second.text };
}
