/** The maximum number of values that tools may store for one session, and their size in characters of JSON. */
const MAX_VALUES = 10_000;
const MAX_CHARACTERS = 20_000_000;

/** The values that tools store for one session (`ctx.state`). Beyond the limits, the value that was set longest ago is dropped. */
export class StoredValues {
  readonly #values = new Map<string, { readonly value: unknown; readonly size: number; readonly position: number }>();
  #size = 0;
  /** The position of the last event that set or removed a value. */
  #lastSet: number | undefined;

  /** Whether a value was ever set or removed. */
  get wereSet(): boolean {
    return this.#lastSet !== undefined;
  }

  /** The positions of the events that the values and `wereSet` depend on. */
  get kept(): readonly number[] {
    const last = this.#lastSet === undefined ? [] : [this.#lastSet];
    return [...[...this.#values.values()].map(({ position }) => position), ...last];
  }

  get(key: string): unknown {
    return this.#values.get(key)?.value;
  }

  /** Undefined removes the value. `position` is that of the event, if it is in a log. */
  set(key: string, value: unknown, position = 0): void {
    this.#lastSet = position;
    this.#remove(key);
    if (value === undefined) return;
    const size = key.length + (JSON.stringify(value)?.length ?? 0);
    this.#values.set(key, { value, size, position });
    this.#size += size;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= MAX_VALUES && this.#size <= MAX_CHARACTERS) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#size -= this.#values.get(key)?.size ?? 0;
    this.#values.delete(key);
  }
}
