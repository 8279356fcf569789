import { CallsByID } from "../../../core/calls-by-id.ts";
import { textOf } from "../../../core/result.ts";
import { type FollowedEvent, LOG_VERSION } from "../../../core/session-log.ts";
import { tryOrUndefined } from "../../../core/try-or-undefined.ts";
import { unknownEffect } from "../../../core/unknown-effect.ts";
import type { NoticeKind } from "../chat-actions.ts";
import type { ChatItem } from "./chat-item.ts";
import type { ItemRows } from "./item-rows.ts";
import { ReplyItem, type ReplyOptions } from "./reply-item.ts";
import { NoticeItem, QuestionItem, UserItem } from "./text-items.ts";
import { ToolCard, type ToolCardOptions } from "./tool-card.ts";

type EventOf<T extends FollowedEvent["type"]> = Extract<FollowedEvent, { readonly type: T }>;

/** Deeper calls are indented like this one. */
const MAX_DEPTH = 4;

/**
 * Folds the events of a session into items. An event that was applied before, is of an unknown type or is incomplete changes
 * nothing.
 */
export class SessionItems {
  readonly #options: ReplyOptions & ToolCardOptions;
  readonly #rows: ItemRows;
  readonly #streamed = new Map<string, ReplyItem>();
  readonly #cards = new CallsByID<ToolCard>();
  readonly #running = new Set<ToolCard>();
  readonly #questions = new Map<string, QuestionItem>();
  #position = 0;

  /** Adds its items to `rows`. */
  constructor(rows: ItemRows, options: ReplyOptions & ToolCardOptions) {
    this.#rows = rows;
    this.#options = options;
  }

  /** The messages that grow. */
  get streamedReplies(): Iterable<ReplyItem> {
    return this.#streamed.values();
  }

  get runningCards(): ReadonlySet<ToolCard> {
    return this.#running;
  }

  apply(event: FollowedEvent): void {
    if ("position" in event) {
      if (event.position <= this.#position) return;
      this.#position = event.position;
      if (event.v > LOG_VERSION) return;
    }
    tryOrUndefined(() => this.#apply(event));
  }

  /** Ends all drawing. */
  dispose(): void {
    for (const item of this.#rows.items) if (item instanceof ToolCard) item.dispose();
    this.#running.clear();
  }

  #apply(event: FollowedEvent): void {
    switch (event.type) {
      case "message.user":
        return this.#rows.add(new UserItem(event.content, this.#options.theme, this.#options.view));
      case "message.delta":
        return this.#streamedReply(event.messageID).appendText(event.text);
      case "thinking.delta":
        return this.#streamedReply(event.messageID).appendThinking(event.text);
      case "message.complete":
        return this.#completeReply(event);
      case "session.partial":
        return this.#catchUp(event);
      case "tool.start":
        this.#startCall(event);
        return;
      case "tool.update":
        return this.#cards.last(event.callID)?.update(event);
      case "tool.complete":
      case "tool.failed":
        return this.#endCall(event);
      case "question.asked":
        return this.#ask(event);
      case "question.answered":
        return this.#questions.get(event.questionID)?.answer(event);
      case "session.idle":
        this.#finishReplies();
        return event.aborted ? this.#notice("Stopped.", "warning") : undefined;
      case "session.error":
        this.#finishReplies();
        return this.#notice(`Error${event.code === undefined ? "" : ` (${event.code})`}: ${event.message}`, "error");
      case "session.interrupted":
        return this.#interrupt(event);
    }
  }

  #streamedReply(messageID: string): ReplyItem {
    const known = this.#streamed.get(messageID);
    if (known) return known;
    const reply = new ReplyItem(this.#options);
    this.#streamed.set(messageID, reply);
    this.#rows.add(reply);
    return reply;
  }

  /** A message without text, such as one that only calls tools, is not shown. */
  #completeReply({ messageID, content, thinking = "" }: EventOf<"message.complete">): void {
    const reply = this.#streamedReply(messageID);
    this.#streamed.delete(messageID);
    const attachments = content.filter((part) => part.type !== "text");
    reply.set(textOf(content), thinking, attachments);
    reply.finish();
    if (reply.isEmpty) this.#rows.remove(reply);
  }

  /** What was streamed is replaced. A message that is no longer streamed stays visible, because the user may have read it. */
  #catchUp({ messages, calls }: EventOf<"session.partial">): void {
    const streamed = new Set(messages.map(({ messageID }) => messageID));
    this.#finishReplies((messageID) => !streamed.has(messageID));
    for (const { messageID, text, thinking } of messages) this.#streamedReply(messageID).set(text, thinking);
    for (const call of calls) this.#cards.last(call.callID)?.update(call);
  }

  #finishReplies(isLost: (messageID: string) => boolean = () => true): void {
    for (const [messageID, reply] of this.#streamed) {
      if (!isLost(messageID)) continue;
      reply.finish();
      this.#streamed.delete(messageID);
    }
  }

  #startCall({ callID, tool, input, at, parentID }: EventOf<"tool.start">): ToolCard {
    const parent = parentID === undefined ? undefined : this.#cards.last(parentID);
    const depth = parent ? Math.min(parent.call.depth + 1, MAX_DEPTH) : 0;
    const card = new ToolCard({ callID, tool, input, at, depth }, this.#options);
    this.#cards.start(callID, card);
    this.#running.add(card);
    this.#rows.add(card, parent ? this.#placeBelow(parent) : undefined);
    return card;
  }

  /** Below the call and all calls that it has made. */
  #placeBelow(parent: ToolCard): number {
    const { items } = this.#rows;
    const start = items.indexOf(parent) + 1;
    const isInner = (item: ChatItem): boolean =>
      item instanceof QuestionItem || (item instanceof ToolCard && item.call.depth > parent.call.depth);
    const count = items.slice(start).findIndex((item) => !isInner(item));
    return count === -1 ? items.length : start + count;
  }

  /** Some agents report a result without its call. */
  #endCall(event: EventOf<"tool.complete"> | EventOf<"tool.failed">): void {
    const start = { ...event, type: "tool.start" as const, input: undefined };
    let card = this.#cards.end(event.callID);
    if (!card) {
      card = this.#startCall(start);
      this.#cards.end(event.callID);
    }
    this.#running.delete(card);
    card.end(event.result, event.at);
  }

  #ask(event: EventOf<"question.asked">): void {
    const question = new QuestionItem(event, this.#options.theme);
    this.#questions.set(event.questionID, question);
    const card = this.#cards.last(event.callID);
    this.#rows.add(question, card ? this.#placeBelow(card) : undefined);
  }

  #interrupt({ reason, calls, questions }: EventOf<"session.interrupted">): void {
    this.#finishReplies();
    const names = calls.map((callID) => {
      for (const card of this.#cards.endAll(callID)) {
        this.#running.delete(card);
        card.interrupt();
      }
      return this.#cards.last(callID)?.call.tool ?? callID;
    });
    for (const questionID of questions) this.#questions.get(questionID)?.interrupt();
    this.#notice([`Interrupted: ${reason}`, ...unknownEffects(names)].join("\n"), "warning");
  }

  #notice(text: string, kind: NoticeKind): void {
    this.#rows.add(new NoticeItem(text, kind, this.#options.theme));
  }
}

function unknownEffects(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`Without a result: ${names.join(", ")}. ${unknownEffect(names.length)}`];
}
