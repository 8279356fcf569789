import type { ToolEvent } from "../core/events.ts";
import type { ToolResult } from "../core/result.ts";
import { sizeOf } from "../protocol/checks.ts";
import type { Run } from "./call.ts";

type UpdateEvent = ToolEvent & { type: "tool.update" };

/** The maximum number of updates that are retained for readers, and their approximate size in characters. */
const MAX_UPDATES = 1_000;
const MAX_SIZE = 8_000_000;

/** A call in progress, as its caller sees it. */
export class ToolRun implements Run {
  readonly callID: string;
  readonly result: Promise<ToolResult>;
  readonly #controller = new AbortController();
  readonly #updates: { readonly event: UpdateEvent; readonly size: number }[] = [];
  #start: ToolEvent | undefined;
  #end: ToolEvent | undefined;
  #dropped = 0;
  #size = 0;
  /** Resolves after the next event. Created only while a reader waits. */
  #next: PromiseWithResolvers<void> | undefined;

  /** Begins at once. `work` must not reject, and emits one start, then updates, then one end. */
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
    if (event.type === "tool.start") this.#start = event;
    else if (event.type === "tool.update") this.#retain(event);
    else this.#end = event;
    this.#next?.resolve();
    this.#next = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ToolEvent> {
    if (this.#start) yield this.#start;
    for (let read = 0; ; ) {
      // A reader that is too slow continues with the oldest retained update.
      read = Math.max(read, this.#dropped);
      const update = this.#updates[read - this.#dropped];
      if (update) {
        read += 1;
        yield update.event;
      } else if (this.#end) {
        yield this.#end;
        return;
      } else {
        this.#next ??= Promise.withResolvers();
        await this.#next.promise;
      }
    }
  }

  #retain(event: UpdateEvent): void {
    const size = (event.title?.length ?? 0) + (event.metadata ? sizeOf(event.metadata) : 0);
    this.#updates.push({ event, size });
    this.#size += size;
    while (this.#updates.length > 1 && (this.#updates.length > MAX_UPDATES || this.#size > MAX_SIZE)) {
      this.#size -= this.#updates.shift()?.size ?? 0;
      this.#dropped += 1;
    }
  }
}
