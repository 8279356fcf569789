import { matchesKey, type TUI, truncateToWidth } from "@earendil-works/pi-tui";
import type { CustomView } from "../../../core/custom-view.ts";
import type { ChatTheme } from "../chat-theme.ts";
import { safeStyled } from "../safe-text.ts";
import type { Panel } from "./panel.ts";

/** A component of a tool file, which its host process draws. It gets all keys but Ctrl-C, which closes it. */
export class CustomPanel implements Panel {
  readonly #view: CustomView;
  readonly #theme: ChatTheme;
  readonly #tui: TUI;
  #width = 0;
  #lines: readonly string[] = [];
  #isDrawing = false;
  #isStale = false;
  focused = false;

  constructor(view: CustomView, theme: ChatTheme, tui: TUI) {
    this.#view = view;
    this.#theme = theme;
    this.#tui = tui;
    const stop = view.onChange(() => this.#draw());
    void view.closed.then(stop);
  }

  invalidate(): void {
    this.#width = 0;
  }

  render(width: number): string[] {
    if (width !== this.#width) {
      this.#width = width;
      this.#draw();
    }
    return this.#lines.map((line) => truncateToWidth(line, width, ""));
  }

  handleInput(data: string): void {
    if (matchesKey(data, "ctrl+c")) return this.#view.close();
    this.#view.input(data);
  }

  /** One drawing at a time; another one follows if the component has changed meanwhile. */
  #draw(): void {
    this.#isStale = true;
    if (this.#isDrawing || this.#width === 0) return;
    this.#isDrawing = true;
    this.#isStale = false;
    void this.#view.render(this.#width, this.#tui.terminal.rows).then((lines) => {
      this.#isDrawing = false;
      this.#lines = lines.map((line) => safeStyled(line, this.#theme.color));
      this.#tui.requestRender();
      if (this.#isStale) this.#draw();
    });
  }
}
