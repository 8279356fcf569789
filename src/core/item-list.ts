import type { SessionItem } from "./session-item.ts";

/** The items of a session in the order in which they are shown, found by key. Most changes are near the end, where they are cheap. */
export class ItemList {
  readonly #items: SessionItem[] = [];
  readonly #places = new Map<string, number>();

  get items(): readonly SessionItem[] {
    return this.#items;
  }

  get(key: string): SessionItem | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#items[place];
  }

  placeOf(key: string): number | undefined {
    return this.#places.get(key);
  }

  /** Replaces the item with the same key, else adds it at the end or at the given place. */
  set(item: SessionItem, place: number = this.#items.length): void {
    const known = this.#places.get(item.key);
    if (known !== undefined) {
      this.#items[known] = item;
      return;
    }
    this.#items.splice(place, 0, item);
    this.#renumber(place);
  }

  remove(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#items.splice(place, 1);
    this.#places.delete(key);
    this.#renumber(place);
  }

  #renumber(from: number): void {
    for (let place = from; place < this.#items.length; place += 1) {
      const item = this.#items[place];
      if (item) this.#places.set(item.key, place);
    }
  }
}
