import { createTheme } from "../../../authoring/pi/theme.ts";
import { boundedLines } from "../../protocol/drawn-lines.ts";
import { asComponent, type ComponentFactory, dispose, linesOf, type PiComponent } from "./custom-component.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";
import { createTui } from "./tui-stand-in.ts";

const WIDTH = 80;
/** A drawing that takes longer is not shown. */
const MAX_DRAW_MS = 200;
/** A component is removed after so many slow drawings in a row: each of them blocks this process. */
const MAX_SLOW = 3;
/** The least time between two drawings. */
const REDRAW_MS = 50;

/**
 * The widgets, footer and header that a file sets as components. They are drawn in this process, at 80 columns and whenever
 * they ask for it, and shown as lines. A component that fails or is too slow has no lines.
 */
export class WidgetComponents {
  readonly #runtime: PiRuntime;
  readonly #components = new Map<string, () => void>();

  constructor(runtime: PiRuntime) {
    this.#runtime = runtime;
  }

  /** Replaces the component under a key. `show` gets its lines, now and after each change. */
  set(key: string, factory: ComponentFactory, show: (lines: readonly string[]) => void): void {
    this.remove(key);
    let component: PiComponent | undefined;
    let isOver = false;
    let last: string | undefined;
    let slow = 0;
    let timer: NodeJS.Timeout | undefined;
    const draw = (): void => {
      timer = undefined;
      if (isOver) return;
      const { lines, isSlow } = this.#draw(component);
      slow = isSlow ? slow + 1 : 0;
      if (slow === MAX_SLOW) this.remove(key);
      const text = JSON.stringify(lines);
      if (text !== last) show(lines);
      last = text;
    };
    const { tui } = createTui(() => {
      if (!isOver && component) timer ??= setTimeout(draw, REDRAW_MS).unref();
    });
    this.#components.set(key, () => {
      isOver = true;
      clearTimeout(timer);
      dispose(component, this.#runtime);
    });
    try {
      component = asComponent(factory(tui, createTheme(true), noopProxy(FOOTER_DATA)));
      draw();
    } catch (error) {
      this.#runtime.logFailure("a widget", error);
    }
  }

  /** To be called when something else is shown under the key. */
  remove(key: string): void {
    const end = this.#components.get(key);
    this.#components.delete(key);
    end?.();
  }

  /** There are no lines if the component fails or is too slow. */
  #draw(component: PiComponent | undefined): { readonly lines: readonly string[]; readonly isSlow: boolean } {
    const startedAt = performance.now();
    try {
      const lines = boundedLines(linesOf(component, WIDTH));
      if (performance.now() - startedAt <= MAX_DRAW_MS) return { lines, isSlow: false };
      throw new Error(`it took over ${MAX_DRAW_MS} ms to draw`);
    } catch (error) {
      this.#runtime.logFailure("a widget", error);
      return { lines: [], isSlow: performance.now() - startedAt > MAX_DRAW_MS };
    }
  }
}

/** The third argument of the factory of a footer. */
const FOOTER_DATA = {
  getGitBranch: () => null,
  getExtensionStatuses: () => new Map<string, string>(),
  getAvailableProviderCount: () => 0,
  onBranchChange: () => () => {},
};
