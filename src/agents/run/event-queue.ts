import type { AgentEvent } from "../../core/coding-agent.ts";

/** The events of one turn, for adapters whose SDK calls back. It is read once. */
export class EventQueue<T = AgentEvent> implements AsyncIterable<T> {
  readonly #events: T[] = [];
  #wake: (() => void) | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** Events after the end are dropped. */
  push(...events: readonly T[]): void {
    if (this.#end) return;
    this.#events.push(...events);
    this.#wake?.();
  }

  /** Ends the iteration after the events so far; with an error, by throwing it. Only the first end counts. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const event = this.#events.shift();
      if (event) yield event;
      else if (this.#end) break;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if ("error" in this.#end) throw this.#end.error;
  }
}
