import { type FollowedEvent, LOG_VERSION } from "../../../core/session-log.ts";
import { unknownEffect } from "../../../core/unknown-effect.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { EndItem, SessionItem } from "../../../sessions/log/session-item.ts";
import { SessionView } from "../../../sessions/log/session-view.ts";
import { toSessionEvent } from "../../../sessions/log/to-session-event.ts";
import type { ChatItem } from "./chat-item.ts";
import type { ItemRows } from "./item-rows.ts";
import { ReplyCard, type ReplyOptions } from "./reply-card.ts";
import { NoticeItem, PromptCard, QuestionCard } from "./text-items.ts";
import { ToolCard, type ToolCardOptions } from "./tool-card.ts";

/** Draws each item of a session in rows. Events and items with unexpected fields are left out. */
export class DrawnSession {
  readonly #options: ReplyOptions & ToolCardOptions;
  readonly #rows: ItemRows;
  readonly #view: SessionView;
  /** By the key of the item. */
  readonly #drawn = new Map<string, ChatItem>();
  readonly #streamed = new Set<ReplyCard>();
  readonly #running = new Set<ToolCard>();

  constructor(rows: ItemRows, options: ReplyOptions & ToolCardOptions) {
    this.#rows = rows;
    this.#options = options;
    this.#view = new SessionView({
      hasQuestionsBelowCalls: true,
      onChange: (key, item, above) => tryOrUndefined(() => this.#change(key, item, above)),
    });
  }

  /** The messages that grow. */
  get streamedReplies(): Iterable<ReplyCard> {
    return this.#streamed;
  }

  get runningCards(): ReadonlySet<ToolCard> {
    return this.#running;
  }

  apply(event: FollowedEvent): void {
    if ("position" in event && event.v > LOG_VERSION) return;
    const sent = toSessionEvent(event);
    if (sent) tryOrUndefined(() => this.#view.apply(sent));
  }

  /** Ends all drawing. */
  dispose(): void {
    for (const item of this.#rows.items) if (item instanceof ToolCard) item.dispose();
    this.#running.clear();
  }

  #change(key: string, item: SessionItem | undefined, above: string | undefined): void {
    const known = this.#drawn.get(key);
    const drawn = known ?? (item && this.#create(item));
    if (!drawn) return;
    if (drawn instanceof ReplyCard) toggle(this.#streamed, drawn, item?.kind === "reply" && item.state === "streaming");
    if (drawn instanceof ToolCard) toggle(this.#running, drawn, item?.kind === "call" && item.state === "running");
    if (!item) return this.#rows.remove(drawn);
    if (known) return known.show(item);
    this.#drawn.set(key, drawn);
    this.#rows.add(drawn, above === undefined ? undefined : this.#drawn.get(above));
  }

  /** The end of a turn that needs no word is not drawn. */
  #create(item: SessionItem): ChatItem | undefined {
    const { theme, view } = this.#options;
    switch (item.kind) {
      case "user":
        return new PromptCard(item.content, theme, view);
      case "reply":
        return new ReplyCard(item, this.#options);
      case "call":
        return new ToolCard(item, this.#options);
      case "question":
        return new QuestionCard(item, theme);
      case "end":
        return item.outcome === "completed"
          ? undefined
          : new NoticeItem(endText(item), item.outcome === "error" ? "error" : "warning", theme);
    }
  }
}

function toggle<T>(set: Set<T>, value: T, isIn: boolean): void {
  if (isIn) set.add(value);
  else set.delete(value);
}

function endText({ outcome, message, code, unknownCalls }: EndItem): string {
  if (outcome === "aborted") return "Stopped.";
  if (outcome === "error") return `Error${code === undefined ? "" : ` (${code})`}: ${message}`;
  const lost =
    unknownCalls.length === 0
      ? ""
      : `\nWithout a result: ${unknownCalls.join(", ")}. ${unknownEffect(unknownCalls.length)}`;
  return `Interrupted: ${message}${lost}`;
}
