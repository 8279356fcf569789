import type { CustomView } from "../core/custom-view.ts";
import type { ViewEvent, ViewRequest } from "../host/protocol/messages.ts";
import { defined } from "../platform/values/defined.ts";
import { Listeners } from "../platform/values/listeners.ts";
import { within } from "../platform/waiting/within.ts";

/** The time limit of one drawing. */
const DRAW_MS = 200;
/** The most events that wait for a component: further keys are lost if its host does not answer. */
const MAX_EVENTS = 1_000;

type Opening = Extract<ViewRequest, { readonly kind: "open" }>;
type Drawn = Extract<ViewRequest, { readonly kind: "next" }>["drawn"];

/** A component of a tool file, between the user interface that draws it and the host that runs it. */
export class ShownView implements CustomView {
  readonly title?: string;
  readonly overlay: boolean;
  readonly closed: Promise<void>;
  readonly #close: () => void;
  readonly #changes = new Listeners();
  /** The drawings that the host has not sent yet. */
  readonly #drawings = new Map<number, (lines: readonly string[]) => void>();
  #events: ViewEvent[] = [];
  /** Answers the request of the host for the next event. */
  #answer: ((event: ViewEvent | undefined) => void) | undefined;
  #lastDrawing = 0;
  #isClosed = false;
  #wasLate = false;

  constructor({ title, overlay }: Opening) {
    if (title !== undefined) this.title = title;
    this.overlay = overlay;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#close = resolve;
  }

  render(width: number, rows?: number): Promise<readonly string[]> {
    if (this.#isClosed) return Promise.resolve([]);
    this.#lastDrawing += 1;
    const id = this.#lastDrawing;
    const { promise: drawn, resolve } = Promise.withResolvers<readonly string[]>();
    this.#drawings.set(id, resolve);
    this.#send({ kind: "draw", id, width, ...defined({ rows }) });
    return within(DRAW_MS, drawn, () => []).finally(() => this.#drawings.delete(id));
  }

  input(data: string): void {
    this.#send({ kind: "input", data });
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#events = [];
    for (const settle of [...this.#drawings.values()]) settle([]);
    this.#answer?.(undefined);
    this.#close();
    this.changed();
  }

  /** The component must be drawn again, or has ended. */
  changed(): void {
    this.#changes.emit(undefined);
  }

  /** Takes a drawing of the host, and resolves to the next event for it; undefined once the view is closed. */
  next(drawn: Drawn): Promise<ViewEvent | undefined> {
    if (drawn) this.#take(drawn);
    if (this.#isClosed) return Promise.resolve(undefined);
    const event = this.#events.shift();
    if (event) return Promise.resolve(event);
    return new Promise((resolve) => {
      // The host's own code has one request at a time.
      this.#answer?.(undefined);
      this.#answer = resolve;
    });
  }

  /** A drawing that came too late is asked for again, but not twice in a row: the component may always be slow. */
  #take({ id, lines }: NonNullable<Drawn>): void {
    const settle = this.#drawings.get(id);
    const isLate = settle === undefined;
    settle?.(lines);
    if (isLate && !this.#wasLate) this.changed();
    this.#wasLate = isLate;
  }

  #send(event: ViewEvent): void {
    if (this.#isClosed) return;
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer) answer(event);
    else if (this.#events.length < MAX_EVENTS) this.#events.push(event);
  }
}
