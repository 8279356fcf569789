import type { ToolEvent } from "../core/events.ts";
import type { ToolResult } from "../core/result.ts";
import type { Run } from "./call.ts";

/** Events that nobody has read yet; beyond this the oldest updates are dropped, never a start or an end. */
const MAX_UNREAD = 20;

/** A call in progress, as its caller holds it. */
export class ToolRun implements Run {
  readonly callID: string;
  readonly result: Promise<ToolResult>;
  readonly #controller = new AbortController();
  readonly #unread: ToolEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #done = false;

  /** Begins at once. `work` must not reject. */
  constructor(callID: string, work: (run: ToolRun) => Promise<ToolResult>) {
    this.callID = callID;
    this.result = work(this);
  }

  get controller(): AbortController {
    return this.#controller;
  }

  abort(): void {
    this.#controller.abort();
  }

  emit(event: ToolEvent): void {
    if (this.#unread.length >= MAX_UNREAD) {
      const oldest = this.#unread.findIndex(({ type }) => type === "tool.update");
      if (oldest >= 0) this.#unread.splice(oldest, 1);
    }
    this.#unread.push(event);
    this.#done ||= event.type === "tool.complete" || event.type === "tool.failed";
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** An event is read once: of several readers each gets some, and all of them end. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ToolEvent> {
    for (;;) {
      const event = this.#unread.shift();
      if (event) yield event;
      else if (this.#done) return;
      else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }
}
