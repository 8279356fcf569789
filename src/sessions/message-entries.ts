import type { Content } from "../core/result.ts";
import type { SessionEntry } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { lastEvents } from "./stored-events.ts";

/** The events that the entries are built from. */
const MESSAGE_EVENTS: readonly DurableEvent["type"][] = [
  "message.user",
  "message.complete",
  "tool.start",
  "tool.complete",
  "tool.failed",
];

/** The maximum number of entries, and of characters in them. The oldest are dropped. */
const MAX_ENTRIES = 200;
const MAX_CHARACTERS = 500_000;

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An entry, and the number of characters of its content. */
interface SizedEntry {
  readonly entry: MessageEntry;
  size: number;
}

interface MessageEntry extends SessionEntry {
  readonly message: { readonly role: string; readonly content: Part[]; readonly [field: string]: unknown };
}

/** The messages of a session as entries of pi's session files: tool files read them with `ctx.sessionManager`. */
export class MessageEntries {
  readonly #entries: SizedEntry[] = [];
  /** How many entries have an id. */
  readonly #ids = new Map<string, number>();
  #characters = 0;

  /** Oldest first. The first one has no parent, because older ones may have been dropped. */
  get entries(): readonly SessionEntry[] {
    const [first, ...others] = this.#entries.map(({ entry }) => entry);
    return first ? [{ ...first, parentId: null }, ...others] : [];
  }

  /** Other events change nothing. */
  add(event: DurableEvent & { readonly at?: number }): void {
    const { at = Date.now() } = event;
    switch (event.type) {
      case "message.user":
        return this.#push(event.messageID, at, { role: "user", content: parts(event.content) });
      case "message.complete": {
        const thinking = event.thinking === undefined ? [] : [{ type: "thinking", thinking: event.thinking }];
        const content = [...thinking, ...parts(event.content)];
        return this.#push(event.messageID, at, { role: "assistant", content });
      }
      case "tool.start":
        return this.#addCall(event);
      case "tool.complete":
      case "tool.failed":
        return this.#push(this.#freeID(`${event.callID}-result`), at, {
          role: "toolResult",
          toolCallId: event.callID,
          toolName: event.tool,
          content: event.result.ok ? parts(event.result.content) : [{ type: "text", text: event.result.error.message }],
          details: event.result.data,
          isError: !event.result.ok,
        });
    }
  }

  /** Call ids may repeat, but the ids of entries must not: entries name their parents. */
  #freeID(id: string): string {
    if (!this.#ids.has(id)) return id;
    let count = 2;
    while (this.#ids.has(`${id}-${count}`)) count += 1;
    return `${id}-${count}`;
  }

  #push(id: string, at: number, message: MessageEntry["message"]): void {
    const parentId = this.#entries.at(-1)?.entry.id ?? null;
    const entry = { id, parentId, type: "message", timestamp: new Date(at).toISOString(), message };
    const size = sizeOf(message.content);
    this.#entries.push({ entry: { ...entry, message: { ...message, timestamp: at } }, size });
    this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
    this.#characters += size;
    while (this.#entries.length > MAX_ENTRIES || this.#characters > MAX_CHARACTERS) {
      const dropped = this.#entries.shift();
      if (!dropped) return;
      this.#forget(dropped);
    }
  }

  #forget({ entry: { id }, size }: SizedEntry): void {
    this.#characters -= size;
    const others = (this.#ids.get(id) ?? 1) - 1;
    if (others > 0) this.#ids.set(id, others);
    else this.#ids.delete(id);
  }

  /** A call is part of the message that has it. */
  #addCall({ callID, messageID, tool, input }: DurableEvent & { readonly type: "tool.start" }): void {
    const found = this.#entries.findLast(({ entry }) => entry.id === messageID);
    if (found?.entry.message.role !== "assistant") return;
    const part = { type: "toolCall", id: callID, name: tool, arguments: input };
    const size = sizeOf([part]);
    found.entry.message.content.push(part);
    found.size += size;
    this.#characters += size;
  }
}

/** The last messages of a session. */
export async function readMessages(store: SessionStore, sessionID: string): Promise<MessageEntries> {
  const messages = new MessageEntries();
  for (const event of await lastEvents(store, sessionID, { types: MESSAGE_EVENTS }, fillEntries)) messages.add(event);
  return messages;
}

/** Whether events make more entries than are kept. */
function fillEntries(events: readonly DurableEvent[]): boolean {
  return events.filter(({ type }) => type !== "tool.start").length > MAX_ENTRIES;
}

/** Images and files are only named: a snapshot is sent with each call. */
function parts(content: readonly Content[]): Part[] {
  return content.map((part) =>
    part.type === "text" ? { ...part } : { type: "text", text: `[${part.type}, ${part.mimeType}]` },
  );
}

function sizeOf(content: readonly Part[]): number {
  return content.reduce((size, part) => size + JSON.stringify(part).length, 0);
}
