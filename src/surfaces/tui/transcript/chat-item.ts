import type { SessionItem } from "../../../sessions/log/session-item.ts";

/** What all items of a transcript are drawn with. */
export interface ChatView {
  /** Whether tool cards show all of their input and output. */
  isExpanded: boolean;
  isThinkingShown: boolean;
}

/**
 * A part of the transcript. It is drawn again only if it has changed. A change that is only progress can be left out for as long
 * as the item is not visible.
 */
export abstract class ChatItem {
  /** Whether a blank line comes before it. */
  readonly hasGap: boolean = true;
  #change: "none" | "progress" | "content" = "content";
  #width = 0;
  #lines: readonly string[] = [];

  /** The rows. None is wider than `width`. */
  protected abstract draw(width: number): readonly string[];

  /** Marks the item as changed. */
  changed(change: "progress" | "content" = "content"): void {
    if (this.#change !== "content") this.#change = change;
  }

  /** Draws this item of the session from now on. It has the same key and kind as the one before. */
  show(_item: SessionItem): void {}

  /** Forgets everything that was prepared for drawing. */
  invalidate(): void {
    this.changed();
  }

  /** The rows. The same array as before if nothing has changed, or if `canWait` and only progress was made. */
  lines(width: number, canWait = false): readonly string[] {
    const isSameWidth = this.#width === width;
    if (isSameWidth && (this.#change === "none" || (canWait && this.#change === "progress"))) return this.#lines;
    this.#change = "none";
    this.#width = width;
    this.#lines = this.#drawn(width);
    return this.#lines;
  }

  /** A store checks only the fields of events that it uses itself, so any field may have an unexpected type. */
  #drawn(width: number): readonly string[] {
    try {
      return this.draw(width);
    } catch {
      return ["This part of the session cannot be shown.".slice(0, width)];
    }
  }
}
