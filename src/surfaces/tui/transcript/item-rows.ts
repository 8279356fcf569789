import type { ChatItem } from "./chat-item.ts";

interface ShownItem {
  readonly item: ChatItem;
  readonly lines: readonly string[];
  /** The first row that belongs to it, its blank line included. */
  readonly start: number;
}

/** The items of a transcript and their rows. Rows before the first change are kept. */
export class ItemRows {
  readonly #items: ChatItem[] = [];
  #shown: ShownItem[] = [];
  #rows: string[] = [];

  get items(): readonly ChatItem[] {
    return this.#items;
  }

  /** Adds an item right below another one, else at the end. */
  add(item: ChatItem, above?: ChatItem): void {
    const at = above ? this.#items.indexOf(above) + 1 : this.#items.length;
    this.#items.splice(at, 0, item);
  }

  remove(item: ChatItem): void {
    const at = this.#items.indexOf(item);
    if (at !== -1) this.#items.splice(at, 1);
  }

  clear(): void {
    this.#items.length = 0;
  }

  /**
   * All rows, in an array that the next call changes. Of the items above the last `visibleRows` rows, mere progress is not drawn:
   * pi-tui redraws the whole screen for a change above it.
   */
  lines(width: number, visibleRows: number): string[] {
    const firstVisible = this.#rows.length - visibleRows;
    let at = 0;
    for (; at < this.#items.length; at++) {
      const [item, shown] = [this.#items[at], this.#shown[at]];
      if (!item || shown?.item !== item) break;
      if (item.lines(width, shown.start < firstVisible) !== shown.lines) break;
    }
    this.#drawFrom(at, width);
    return this.#rows;
  }

  #drawFrom(first: number, width: number): void {
    const kept = this.#shown[first];
    if (kept) this.#rows.length = kept.start;
    this.#shown.length = Math.min(first, this.#shown.length);
    for (const item of this.#items.slice(first)) {
      const lines = item.lines(width);
      this.#shown.push({ item, lines, start: this.#rows.length });
      if (lines.length > 0 && item.hasGap && this.#rows.length > 0) this.#rows.push("");
      for (const line of lines) this.#rows.push(line);
    }
  }
}
