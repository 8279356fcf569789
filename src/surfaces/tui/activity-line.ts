import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { ChatTheme } from "./chat-theme.ts";
import { safeLine } from "./safe-text.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;

/** What runs, with a spinner and the elapsed time, and the prompts that wait. Empty while nothing runs. */
export class ActivityLine implements Component {
  readonly #theme: ChatTheme;
  readonly #requestRender: () => void;
  readonly #isHidden: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #text = "";
  #waiting: readonly string[] = [];
  #hint = "";
  /** Text of a tool file in place of our own. */
  working: string | undefined;

  constructor(theme: ChatTheme, requestRender: () => void, isHidden: () => boolean) {
    this.#theme = theme;
    this.#requestRender = requestRender;
    this.#isHidden = isHidden;
  }

  /** Shows that something runs; undefined if nothing does. The hint says which key does what. */
  set(text: string | undefined, waiting: readonly string[] = [], hint = ""): void {
    this.#waiting = waiting;
    this.#hint = hint;
    this.#text = text ?? "";
    if (text === undefined) return this.stop();
    if (this.#timer) return;
    this.#since = Date.now();
    this.#timer = setInterval(this.#requestRender, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  invalidate(): void {}

  render(width: number): string[] {
    if (!this.#timer || this.#isHidden()) return [];
    const elapsed = Date.now() - this.#since;
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length] ?? "";
    const text = this.working === undefined ? this.#text : safeLine(this.working);
    const seconds = elapsed < 1_000 ? "" : ` ${Math.floor(elapsed / 1_000)} s`;
    const waiting = this.#waiting.map((prompt) => this.#theme.dim(`  next: ${safeLine(prompt)}`));
    const hint = this.#hint === "" ? "" : ` · ${this.#hint}`;
    const line = `${this.#theme.accent(frame)} ${text}${this.#theme.dim(`${seconds}${hint}`)}`;
    return ["", ...[line, ...waiting].map((each) => truncateToWidth(each, width, "…"))];
  }
}
