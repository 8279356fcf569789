/** What tools may keep for one session: that many things, and characters of all of them as JSON. */
const MAX_THINGS = 10_000;
const MAX_CHARACTERS = 20_000_000;

/** What tools keep for one session. Where it is too much, what was set longest ago is forgotten. */
export class KeptThings {
  readonly #things = new Map<string, { readonly value: unknown; readonly size: number }>();
  #size = 0;

  constructor(things: Readonly<Record<string, unknown>> = {}) {
    for (const [key, value] of Object.entries(things)) this.set(key, value);
  }

  get(key: string): unknown {
    return this.#things.get(key)?.value;
  }

  /** Undefined takes it away. */
  set(key: string, value: unknown): void {
    this.#forget(key);
    if (value === undefined) return;
    const size = key.length + (JSON.stringify(value)?.length ?? 0);
    this.#things.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#things.keys()) {
      if (this.#things.size <= MAX_THINGS && this.#size <= MAX_CHARACTERS) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#size -= this.#things.get(key)?.size ?? 0;
    this.#things.delete(key);
  }
}
