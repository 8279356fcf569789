import { Editor, Input, matchesKey, type TUI } from "@earendil-works/pi-tui";
import type { ChatTheme } from "../chat-theme.ts";
import { footLines, headLines, type Panel, type PanelText } from "./panel.ts";

/** A line to type. `onDone` gets undefined if the user closes it. */
export class LinePanel implements Panel {
  readonly #text: PanelText;
  readonly #theme: ChatTheme;
  readonly #input: Input;

  constructor(
    text: PanelText & { readonly placeholder?: string },
    theme: ChatTheme,
    onDone: (value: string | undefined) => void,
  ) {
    this.#text = text;
    this.#theme = theme;
    const { placeholder } = text;
    this.#input = new Input(placeholder === undefined ? {} : { placeholder, placeholderStyle: theme.dim });
    this.#input.onSubmit = (value) => onDone(value);
    this.#input.onEscape = () => onDone(undefined);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { hint, ...head } = this.#text;
    return [
      ...headLines({ ...head, hint }, this.#theme, width),
      ...this.#input.render(width),
      ...footLines(this.#text, this.#theme, width),
    ];
  }

  handleInput(data: string): void {
    this.#input.handleInput(data);
  }
}

/** A text of several lines to edit. `onDone` gets undefined if the user closes it. */
export class EditorPanel implements Panel {
  readonly #text: PanelText;
  readonly #theme: ChatTheme;
  readonly #editor: Editor;
  readonly #onDone: (value: string | undefined) => void;

  constructor(
    text: PanelText & { readonly prefill?: string },
    theme: ChatTheme,
    tui: TUI,
    onDone: (value: string | undefined) => void,
  ) {
    this.#text = text;
    this.#theme = theme;
    this.#onDone = onDone;
    this.#editor = new Editor(tui, theme.editor);
    this.#editor.setText(text.prefill ?? "");
    this.#editor.onSubmit = (value) => onDone(value);
  }

  get focused(): boolean {
    return this.#editor.focused;
  }

  set focused(focused: boolean) {
    this.#editor.focused = focused;
  }

  invalidate(): void {
    this.#editor.invalidate();
  }

  render(width: number): string[] {
    return [
      ...headLines(this.#text, this.#theme, width),
      ...this.#editor.render(width),
      ...footLines(this.#text, this.#theme, width),
    ];
  }

  handleInput(data: string): void {
    if (matchesKey(data, "escape")) return this.#onDone(undefined);
    this.#editor.handleInput(data);
  }
}
