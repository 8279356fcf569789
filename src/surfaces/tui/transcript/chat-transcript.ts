import { type Component, setCapabilityOverrides } from "@earendil-works/pi-tui";
import { textOf } from "../../../core/result.ts";
import { type FollowedEvent, LOG_VERSION } from "../../../core/session-log.ts";
import { tryOrUndefined } from "../../../core/try-or-undefined.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { NoticeKind } from "../chat-actions.ts";
import { highlightCode, loadHighlighter } from "../highlight-code.ts";
import type { Theme } from "../theme.ts";
import type { ChatItem, ChatView } from "./chat-item.ts";
import { ItemRows } from "./item-rows.ts";
import { type Draw, limitDraws } from "./own-rendering.ts";
import { ReplyItem, type ReplyOptions } from "./reply-item.ts";
import { MarkdownItem, NoticeItem, QuestionItem, UserItem } from "./text-items.ts";
import { ToolCard } from "./tool-card.ts";

export interface ChatTranscriptOptions {
  readonly theme: Theme;
  readonly color: boolean;
  /** Draws with the renderers of tools' authors. */
  readonly draw: Toolbox["render"];
  readonly cwd: string;
  readonly requestRender: () => void;
  /**
   * How many rows of the transcript are visible. Progress above them is not drawn, because pi-tui would redraw the whole screen
   * for it. By default, all rows count as visible.
   */
  readonly visibleRows?: () => number;
}

type EventOf<T extends FollowedEvent["type"]> = Extract<FollowedEvent, { readonly type: T }>;

/** The time of one frame of the spinner. */
const FRAME_MS = 100;
/** Deeper calls are indented like this one. */
const MAX_DEPTH = 4;

/**
 * The messages, calls and questions of a session, folded from its events. No text of an event is trusted. An event that was
 * applied before, is of an unknown type or is incomplete changes nothing.
 */
export class ChatTranscript implements Component {
  readonly #options: ChatTranscriptOptions;
  readonly #draw: Draw;
  readonly #reply: ReplyOptions;
  readonly #view: ChatView = { isExpanded: false, isThinkingShown: false };
  readonly #rows = new ItemRows();
  readonly #streamed = new Map<string, ReplyItem>();
  readonly #cards = new Map<string, ToolCard>();
  readonly #running = new Set<ToolCard>();
  readonly #questions = new Map<string, QuestionItem>();
  #spinner: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #laterAt = 0;
  #highlighterLoaded: Promise<void> | undefined;
  #frame = 0;
  #position = 0;
  #isDisposed = false;

  constructor(options: ChatTranscriptOptions) {
    this.#options = options;
    this.#draw = limitDraws((request) => options.draw(request));
    const { theme } = options;
    const highlight = (code: string, language: string): string[] => this.#highlight(code, language);
    this.#reply = { theme, view: this.#view, highlight, later: (ms) => this.#renderLater(ms) };
    // Links are shown with their address: a link of the terminal would hide where it leads.
    setCapabilityOverrides({ hyperlinks: false });
  }

  apply(event: FollowedEvent): void {
    if ("position" in event) {
      if (event.position <= this.#position) return;
      this.#position = event.position;
      if (event.v > LOG_VERSION) return;
    }
    tryOrUndefined(() => this.#apply(event));
    this.#spin();
    this.#options.requestRender();
  }

  /** Shows text that is not part of the session. */
  addMarkdown(text: string): void {
    this.#add(new MarkdownItem(text, this.#reply));
  }

  addNotice(text: string, kind: NoticeKind = "info"): void {
    this.#add(new NoticeItem(text, kind, this.#options.theme));
  }

  /** Removes everything, for the events of another session. */
  clear(): void {
    for (const card of this.#cards.values()) card.dispose();
    this.#rows.clear();
    for (const known of [this.#streamed, this.#cards, this.#questions, this.#running]) known.clear();
    this.#position = 0;
    this.#spin();
    this.#options.requestRender();
  }

  /** Whether tool cards and long prompts are shown in full. */
  get isExpanded(): boolean {
    return this.#view.isExpanded;
  }

  set isExpanded(isExpanded: boolean) {
    this.#view.isExpanded = isExpanded;
    this.#changeAll();
  }

  get isThinkingShown(): boolean {
    return this.#view.isThinkingShown;
  }

  toggleThinking(): void {
    this.#view.isThinkingShown = !this.#view.isThinkingShown;
    this.#changeAll();
  }

  /** The rows, in an array that the next call changes. Only items that have changed are drawn again. */
  render(width: number): string[] {
    return this.#rows.lines(Math.max(1, width), this.#options.visibleRows?.() ?? Number.POSITIVE_INFINITY);
  }

  invalidate(): void {
    for (const item of this.#rows.items) item.invalidate();
  }

  /** Stops all timers. */
  dispose(): void {
    this.#isDisposed = true;
    clearInterval(this.#spinner);
    clearTimeout(this.#later);
    for (const card of this.#cards.values()) card.dispose();
  }

  #apply(event: FollowedEvent): void {
    switch (event.type) {
      case "message.user":
        return this.#rows.add(new UserItem(event.content, this.#options.theme, this.#view));
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
        return this.#cards.get(event.callID)?.update(event);
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
    const reply = new ReplyItem(this.#reply);
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
    for (const call of calls) this.#cards.get(call.callID)?.update(call);
  }

  #finishReplies(isLost: (messageID: string) => boolean = () => true): void {
    for (const [messageID, reply] of this.#streamed) {
      if (!isLost(messageID)) continue;
      reply.finish();
      this.#streamed.delete(messageID);
    }
  }

  #startCall({ callID, tool, input, at, parentID }: EventOf<"tool.start">): ToolCard {
    const parent = parentID === undefined ? undefined : this.#cards.get(parentID);
    const depth = parent ? Math.min(parent.call.depth + 1, MAX_DEPTH) : 0;
    const { theme, cwd, requestRender } = this.#options;
    const options = { theme, view: this.#view, draw: this.#draw, cwd, requestRender };
    const card = new ToolCard({ callID, tool, input, at, depth }, options);
    this.#cards.set(callID, card);
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
    const card = this.#cards.get(event.callID) ?? this.#startCall(start);
    this.#running.delete(card);
    card.end(event.result, event.at);
  }

  #ask(event: EventOf<"question.asked">): void {
    const question = new QuestionItem(event, this.#options.theme);
    this.#questions.set(event.questionID, question);
    const card = this.#cards.get(event.callID);
    this.#rows.add(question, card ? this.#placeBelow(card) : undefined);
  }

  #interrupt({ reason, calls, questions }: EventOf<"session.interrupted">): void {
    this.#finishReplies();
    const names = calls.map((callID) => {
      const card = this.#cards.get(callID);
      if (card) this.#running.delete(card);
      card?.interrupt();
      return card?.call.tool ?? callID;
    });
    for (const questionID of questions) this.#questions.get(questionID)?.interrupt();
    this.#notice([`Interrupted: ${reason}`, ...unknownEffects(names)].join("\n"), "warning");
  }

  #notice(text: string, kind: NoticeKind): void {
    this.#rows.add(new NoticeItem(text, kind, this.#options.theme));
  }

  #add(item: ChatItem): void {
    this.#rows.add(item);
    this.#options.requestRender();
  }

  #changeAll(): void {
    for (const item of this.#rows.items) item.changed();
    this.#options.requestRender();
  }

  /** The timer of spinners and elapsed times runs while a call does. */
  #spin(): void {
    if (this.#running.size === 0 || this.#isDisposed) {
      clearInterval(this.#spinner);
      this.#spinner = undefined;
      return;
    }
    this.#spinner ??= setInterval(() => {
      this.#frame += 1;
      for (const card of this.#running) card.tick(this.#frame);
      this.#options.requestRender();
    }, FRAME_MS).unref();
  }

  #highlight(code: string, language: string): string[] {
    const { theme } = this.#options;
    if (theme.color) void this.#loadHighlighter();
    return highlightCode(code, language, theme);
  }

  /** Code that was drawn before is drawn again. */
  #loadHighlighter(): Promise<void> {
    this.#highlighterLoaded ??= loadHighlighter().then((isLoaded) => {
      if (!isLoaded || this.#isDisposed) return;
      this.invalidate();
      this.#options.requestRender();
    });
    return this.#highlighterLoaded;
  }

  /** Draws streamed messages again after a time, or earlier. */
  #renderLater(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isDisposed || (this.#later !== undefined && this.#laterAt <= at)) return;
    clearTimeout(this.#later);
    this.#laterAt = at;
    this.#later = setTimeout(() => {
      this.#later = undefined;
      for (const reply of this.#streamed.values()) reply.changed();
      this.#options.requestRender();
    }, ms).unref();
  }
}

function unknownEffects(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const [which, them] = names.length === 1 ? ["this call", "it"] : ["these calls", "them"];
  return [`It is unknown whether ${which} had an effect: ${names.join(", ")}. Check before you run ${them} again.`];
}
