import type { SessionItem } from "./session-item.ts";

/**
 * Is told that an item has changed, or was removed: then, `item` is undefined. A new item is at the end, or right below the item
 * with the key `above`.
 */
export type ItemListener = (key: string, item: SessionItem | undefined, above?: string) => void;

/** The items of a session in the order in which they are shown, found by key. Most changes are near the end, where they are cheap. */
export class ItemList {
  readonly #onChange: ItemListener;
  readonly #items: SessionItem[] = [];
  readonly #places = new Map<string, number>();

  constructor(onChange: ItemListener = () => {}) {
    this.#onChange = onChange;
  }

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
  set(item: SessionItem, place?: number): void {
    if (!this.replace(item)) {
      this.#items.splice(place ?? this.#items.length, 0, item);
      this.#renumber(place ?? this.#items.length - 1);
    }
    this.#onChange(item.key, item, place === undefined ? undefined : this.#items[place - 1]?.key);
  }

  /** Replaces the item with the same key, without telling the listener. Returns false if there is none. */
  replace(item: SessionItem): boolean {
    const known = this.#places.get(item.key);
    if (known !== undefined) this.#items[known] = item;
    return known !== undefined;
  }

  remove(key: string): void {
    const place = this.#places.get(key);
    if (place === undefined) return;
    this.#items.splice(place, 1);
    this.#places.delete(key);
    this.#renumber(place);
    this.#onChange(key, undefined);
  }

  #renumber(from: number): void {
    for (let place = from; place < this.#items.length; place += 1) {
      const item = this.#items[place];
      if (item) this.#places.set(item.key, place);
    }
  }
}
