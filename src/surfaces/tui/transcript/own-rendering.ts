import type { DrawRequest } from "../../../toolbox/toolbox.ts";
import { safeStyled } from "../safe-text.ts";

/** Draws with the renderer of a tool's author. Undefined if there is none, or if it failed. */
export type Draw = (request: DrawRequest) => Promise<readonly string[] | undefined>;

/** The shortest time between two drawings of a running call. */
const PARTIAL_MS = 100;
const MAX_LINES = 2_000;
const MAX_LINE = 4_000;

/**
 * The lines that the author of a tool draws for one call, or for its result. While a new drawing is awaited, the last one is
 * shown. A finished call whose author draws nothing is not asked about again.
 */
export class OwnRendering {
  readonly #draw: Draw;
  readonly #changed: () => void;
  #lines: readonly string[] | undefined;
  #drawnFor = "";
  #isDrawing = false;
  #startedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** The states of the call for which there is nothing to draw. */
  readonly #nothing = new Set<"partial" | "final">();
  #isDisposed = false;

  constructor(draw: Draw, changed: () => void) {
    this.#draw = draw;
    this.#changed = changed;
  }

  /** Whether the author draws nothing for a running, or a finished, call. */
  isNothing(isPartial: boolean): boolean {
    return this.#nothing.has(isPartial ? "partial" : "final");
  }

  /** The last lines for a call. Asks for new ones if `version`, or how the call is to be drawn, has changed. */
  lines(request: DrawRequest, version: number): readonly string[] | undefined {
    const state = request.isPartial ? "partial" : "final";
    if (this.#nothing.has(state)) return undefined;
    const drawnFor = [state, version, request.width, request.expanded, request.spinnerFrame].join();
    if (drawnFor !== this.#drawnFor && !this.#isDrawing && !this.#isDisposed) this.#ask(request, drawnFor);
    return this.#lines;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#isDisposed = true;
  }

  #ask(request: DrawRequest, drawnFor: string): void {
    const wait = request.isPartial ? this.#startedAt + PARTIAL_MS - performance.now() : 0;
    if (wait > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#changed();
      }, wait).unref();
      return;
    }
    this.#isDrawing = true;
    this.#startedAt = performance.now();
    this.#draw(request)
      .catch(() => undefined)
      .then((lines) => {
        this.#isDrawing = false;
        this.#drawnFor = drawnFor;
        this.#lines = lines && safeLines(lines, request.color);
        if (!lines) this.#nothing.add(request.isPartial ? "partial" : "final");
        if (!this.#isDisposed) this.#changed();
      });
  }
}

function safeLines(lines: readonly string[], color: boolean): readonly string[] {
  return lines
    .slice(0, MAX_LINES)
    .flatMap((line) => String(line).slice(0, MAX_LINE).split(/\r?\n/))
    .slice(0, MAX_LINES)
    .map((line) => safeStyled(line, color));
}

/** Draws at most four requests at a time, the newest first: those of the last calls are visible. */
export function limitDraws(draw: Draw): Draw {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (request) => {
    if (running >= 4) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await draw(request);
    } finally {
      const next = waiting.pop();
      if (next) next();
      else running -= 1;
    }
  };
}
