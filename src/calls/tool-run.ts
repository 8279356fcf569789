import type { ToolEvent } from "../core/events.ts";
import type { QuestionEvent, RunEvent } from "../core/question.ts";
import type { ToolResult } from "../core/result.ts";
import { sizeOf } from "../host/protocol/checks.ts";
import type { Run } from "./call.ts";

type UpdateEvent = ToolEvent & { type: "tool.update" };

/** The maximum number of updates that are retained for readers, and their approximate size in characters. Questions likewise. */
const MAX_EVENTS = 1_000;
const MAX_SIZE = 8_000_000;

/** A call in progress, as its caller sees it. */
export class ToolRun implements Run {
  readonly callID: string;
  readonly result: Promise<ToolResult>;
  readonly #controller = new AbortController();
  readonly #updates = new RetainedEvents<UpdateEvent>();
  /** Created with the first question. */
  #questions: RetainedEvents<QuestionEvent> | undefined;
  readonly #openQuestions = new Set<string>();
  #start: ToolEvent | undefined;
  #end: ToolEvent | undefined;
  /** The number of updates and questions so far. */
  #count = 0;
  /** Resolves after the next event. Created only while a reader waits. */
  #next: PromiseWithResolvers<void> | undefined;

  /** Begins at once. `work` must not reject, and emits one start, then updates and questions, then one end. */
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

  emit(event: RunEvent): void {
    if (event.type === "tool.start") this.#start = event;
    else if (event.type === "tool.update") this.#updates.add(event, this.#count++, sizeOfUpdate(event));
    else if (event.type === "tool.complete" || event.type === "tool.failed") this.#end = event;
    else this.#addQuestion(event);
    this.#next?.resolve();
    this.#next = undefined;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent> {
    while (!this.#start) await this.#nextEvent();
    yield this.#start;
    for (let from = 0; ; ) {
      // A reader that is too slow continues with the oldest retained event.
      const update = this.#updates.first(from);
      const question = this.#questions?.first(from);
      const next = update && question ? (update.at < question.at ? update : question) : (update ?? question);
      if (next) {
        from = next.at + 1;
        yield next.event;
      } else if (this.#end) {
        yield this.#end;
        return;
      } else {
        await this.#nextEvent();
      }
    }
  }

  #nextEvent(): Promise<void> {
    this.#next ??= Promise.withResolvers();
    return this.#next.promise;
  }

  /** A question is not dropped while it is open. After the end of the call there are none. */
  #addQuestion(event: QuestionEvent): void {
    if (this.#end) return;
    const open = this.#openQuestions;
    if (event.type === "question.asked") open.add(event.questionID);
    else open.delete(event.questionID);
    this.#questions ??= new RetainedEvents(({ questionID }) => !open.has(questionID));
    this.#questions.add(event, this.#count++, sizeOf(event));
  }
}

interface Retained<E> {
  readonly event: E;
  /** Its position among all events of the run. */
  readonly at: number;
  readonly size: number;
}

/** Events for readers that have not read them yet. Beyond the limits, the oldest are dropped, except the newest one. */
class RetainedEvents<E> {
  readonly #events: Retained<E>[] = [];
  readonly #mayDrop: ((event: E) => boolean) | undefined;
  #size = 0;

  constructor(mayDrop?: (event: E) => boolean) {
    this.#mayDrop = mayDrop;
  }

  add(event: E, at: number, size: number): void {
    const events = this.#events;
    events.push({ event, at, size });
    this.#size += size;
    while (events.length > 1 && (events.length > MAX_EVENTS || this.#size > MAX_SIZE)) {
      const oldest = this.#mayDrop ? events.findIndex((each) => this.#mayDrop?.(each.event)) : 0;
      if (oldest === -1 || oldest === events.length - 1) return;
      this.#size -= events.splice(oldest, 1)[0]?.size ?? 0;
    }
  }

  /** The oldest retained event at this position or later. */
  first(from: number): Retained<E> | undefined {
    const events = this.#events;
    // Binary search, because a reader that keeps up looks for the newest event.
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((events[middle] as Retained<E>).at < from) low = middle + 1;
      else high = middle;
    }
    return events[low];
  }
}

function sizeOfUpdate({ title = "", metadata }: UpdateEvent): number {
  return title.length + (metadata ? sizeOf(metadata) : 0);
}
