import { textOf } from "../../../src/core/result.ts";
import type { SessionItem } from "../../../src/sessions/log/session-item.ts";

/** Items with a match, by key, in order. */
interface SearchResult {
  readonly matches: readonly string[];
  /** False if the time was not enough: search again in the next frame, which continues. */
  readonly isDone: boolean;
}

/** Of one item. */
const MAX_TEXT = 500_000;

/** Searches a transcript. Texts and answers are kept for each item, so that a search after a change looks only at new items. */
export class TranscriptSearch {
  readonly #texts = new WeakMap<SessionItem, string>();
  #hits = new WeakMap<SessionItem, boolean>();
  #query = "";

  /** The items that contain the query, in any case. An empty query matches nothing. */
  find(items: readonly SessionItem[], query: string, budgetMs: number): SearchResult {
    const wanted = query.toLowerCase();
    if (wanted !== this.#query) this.#hits = new WeakMap();
    this.#query = wanted;
    if (wanted === "") return { matches: [], isDone: true };
    const end = performance.now() + budgetMs;
    const matches: string[] = [];
    for (const [index, item] of items.entries()) {
      if (this.#isHit(item, wanted)) matches.push(item.key);
      if (index % 64 === 63 && performance.now() > end) return { matches, isDone: false };
    }
    return { matches, isDone: true };
  }

  #isHit(item: SessionItem, wanted: string): boolean {
    const known = this.#hits.get(item);
    if (known !== undefined) return known;
    const hit = this.#textOf(item).includes(wanted);
    this.#hits.set(item, hit);
    return hit;
  }

  #textOf(item: SessionItem): string {
    const known = this.#texts.get(item);
    if (known !== undefined) return known;
    const text = itemText(item).slice(0, MAX_TEXT).toLowerCase();
    this.#texts.set(item, text);
    return text;
  }
}

/** Everything of an item that a person can read. */
function itemText(item: SessionItem): string {
  switch (item.kind) {
    case "user":
      return textOf(item.content);
    case "reply":
      return `${item.thinking}\n${item.text}`;
    case "call": {
      const { tool, input, update, result } = item;
      const output = result ? [result.notes?.title, textOf(result.content ?? []), result.error?.message] : [];
      return [tool, json(input), update?.title, ...output].filter((text) => text !== undefined).join("\n");
    }
    case "question": {
      const { tool, reason } = item.question;
      const details = item.question.kind === "permission" ? json(item.question.access) : (item.question.message ?? "");
      return [tool, reason, details, item.answer?.reason ?? ""].join("\n");
    }
    case "end":
      return item.message;
  }
}

function json(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
