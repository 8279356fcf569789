/** The listeners of one kind of event. */
export class Listeners<T = undefined> {
  readonly #all = new Set<(value: T) => void>();

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Returns a function that removes the listener. */
  listen(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  /** Calls each listener. An error of a listener becomes an uncaught exception and does not reach the caller. */
  emit(value: T): void {
    for (const listener of [...this.#all]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
