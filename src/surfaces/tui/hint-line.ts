import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { ChatTheme } from "./chat-theme.ts";

const SHOWN_MS = 2_000;

/** A sentence about the last key, shown for a short time. */
export class HintLine implements Component {
  readonly #theme: ChatTheme;
  readonly #requestRender: () => void;
  #timer: NodeJS.Timeout | undefined;
  #text = "";

  constructor(theme: ChatTheme, requestRender: () => void) {
    this.#theme = theme;
    this.#requestRender = requestRender;
  }

  get text(): string {
    return this.#text;
  }

  show(text: string): void {
    clearTimeout(this.#timer);
    this.#text = text;
    this.#timer = setTimeout(() => this.clear(), SHOWN_MS);
    this.#requestRender();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#text = "";
    this.#requestRender();
  }

  invalidate(): void {}

  render(width: number): string[] {
    return this.#text === "" ? [] : [this.#theme.warning(truncateToWidth(this.#text, width, "…"))];
  }
}
