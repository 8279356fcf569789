import { Editor, Input, matchesKey, type TUI } from "@earendil-works/pi-tui";
import type { ChatTheme } from "../chat-theme.ts";
import { footLines, headLines, type Panel, type PanelText } from "./panel.ts";

type OnDone = (value: string | undefined) => void;

/** A component in which the user types, between the text of the panel. */
class TypingPanel<C extends Panel> implements Panel {
  readonly #text: PanelText;
  readonly #theme: ChatTheme;
  protected readonly input: C;

  constructor(text: PanelText, theme: ChatTheme, input: C) {
    this.#text = text;
    this.#theme = theme;
    this.input = input;
  }

  get focused(): boolean {
    return this.input.focused;
  }

  set focused(focused: boolean) {
    this.input.focused = focused;
  }

  invalidate(): void {
    this.input.invalidate();
  }

  render(width: number): string[] {
    return [
      ...headLines(this.#text, this.#theme, width),
      ...this.input.render(width),
      ...footLines(this.#text, this.#theme, width),
    ];
  }

  handleInput(data: string): void {
    this.input.handleInput(data);
  }
}

/** A line to type. `onDone` gets undefined if the user closes it. */
export class LinePanel extends TypingPanel<Input> {
  constructor(text: PanelText & { readonly placeholder?: string }, theme: ChatTheme, onDone: OnDone) {
    const { placeholder } = text;
    super(text, theme, new Input(placeholder === undefined ? {} : { placeholder, placeholderStyle: theme.dim }));
    this.input.onSubmit = (value) => onDone(value);
    this.input.onEscape = () => onDone(undefined);
  }
}

/** A text of several lines to edit. `onDone` gets undefined if the user closes it. */
export class EditorPanel extends TypingPanel<Editor> {
  readonly #onDone: OnDone;

  constructor(text: PanelText & { readonly prefill?: string }, theme: ChatTheme, tui: TUI, onDone: OnDone) {
    super(text, theme, new Editor(tui, theme.editor));
    this.#onDone = onDone;
    this.input.setText(text.prefill ?? "");
    this.input.onSubmit = (value) => onDone(value);
  }

  override handleInput(data: string): void {
    if (matchesKey(data, "escape")) return this.#onDone(undefined);
    super.handleInput(data);
  }
}
