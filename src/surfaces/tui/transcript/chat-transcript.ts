import { type Component, setCapabilityOverrides } from "@earendil-works/pi-tui";
import type { FollowedEvent } from "../../../core/session-log.ts";
import type { Toolbox } from "../../../toolbox/toolbox.ts";
import type { NoticeKind } from "../chat-actions.ts";
import { highlightLines, loadHighlighter } from "../highlight-code.ts";
import type { ChatItem, ChatView } from "./chat-item.ts";
import { DrawnSession } from "./drawn-session.ts";
import { ItemRows } from "./item-rows.ts";
import { limitDraws } from "./own-rendering.ts";
import type { ReplyOptions } from "./reply-card.ts";
import { MarkdownItem, NoticeItem } from "./text-items.ts";
import type { ToolCardOptions } from "./tool-card.ts";

export interface ChatTranscriptOptions extends Pick<ToolCardOptions, "theme" | "cwd" | "requestRender"> {
  readonly color: boolean;
  /** Draws with the renderers of tools' authors. */
  readonly draw: Toolbox["render"];
  /**
   * How many rows of the transcript are visible. Progress above them is not drawn, because pi-tui would redraw the whole screen
   * for it. By default, all rows count as visible.
   */
  readonly visibleRows?: () => number;
}

/** The time of one frame of the spinner. */
const FRAME_MS = 100;

/** The messages, calls and questions of a session as rows of a terminal. No text of an event is trusted. */
export class ChatTranscript implements Component {
  readonly #options: ChatTranscriptOptions;
  readonly #itemOptions: ReplyOptions & ToolCardOptions;
  readonly #view: ChatView = { isExpanded: false, isThinkingShown: false };
  readonly #rows = new ItemRows();
  #session: DrawnSession;
  #spinner: NodeJS.Timeout | undefined;
  #frame = 0;
  #later: NodeJS.Timeout | undefined;
  #laterAt = 0;
  #isHighlighterWanted = false;
  #isDisposed = false;

  constructor(options: ChatTranscriptOptions) {
    this.#options = options;
    const { theme, cwd, requestRender } = options;
    this.#itemOptions = {
      theme,
      cwd,
      requestRender,
      view: this.#view,
      draw: limitDraws((request) => options.draw(request)),
      highlight: (code, language) => this.#highlight(code, language),
      later: (ms) => this.#renderLater(ms),
    };
    this.#session = new DrawnSession(this.#rows, this.#itemOptions);
    // Links are shown with their address: a link of the terminal would hide where it leads.
    setCapabilityOverrides({ hyperlinks: false });
  }

  apply(event: FollowedEvent): void {
    this.#session.apply(event);
    this.#spin();
    this.#options.requestRender();
  }

  /** Shows text that is not part of the session. */
  addMarkdown(text: string): void {
    this.#add(new MarkdownItem(text, this.#itemOptions));
  }

  addNotice(text: string, kind: NoticeKind = "info"): void {
    this.#add(new NoticeItem(text, kind, this.#options.theme));
  }

  /** Removes everything, for the events of another session. */
  clear(): void {
    this.#session.dispose();
    this.#rows.clear();
    this.#session = new DrawnSession(this.#rows, this.#itemOptions);
    this.#spin();
    this.#options.requestRender();
  }

  /** Whether tool cards and long prompts are shown in full. */
  get isExpanded(): boolean {
    return this.#view.isExpanded;
  }

  set isExpanded(isExpanded: boolean) {
    this.#view.isExpanded = isExpanded;
    this.#changeAll();
  }

  get isThinkingShown(): boolean {
    return this.#view.isThinkingShown;
  }

  toggleThinking(): void {
    this.#view.isThinkingShown = !this.#view.isThinkingShown;
    this.#changeAll();
  }

  /** The rows, in an array that the next call changes. Only items that have changed are drawn again. */
  render(width: number): string[] {
    return this.#rows.lines(Math.max(1, width), this.#options.visibleRows?.() ?? Number.POSITIVE_INFINITY);
  }

  invalidate(): void {
    for (const item of this.#rows.items) item.invalidate();
  }

  /** Stops all timers and drawings. */
  dispose(): void {
    this.#isDisposed = true;
    this.#session.dispose();
    this.#spin();
    clearTimeout(this.#later);
  }

  #add(item: ChatItem): void {
    this.#rows.add(item);
    this.#options.requestRender();
  }

  #changeAll(): void {
    for (const item of this.#rows.items) item.changed();
    this.#options.requestRender();
  }

  /** The timer of spinners and elapsed times runs while a call does. */
  #spin(): void {
    if (this.#session.runningCards.size === 0) {
      clearInterval(this.#spinner);
      this.#spinner = undefined;
      return;
    }
    this.#spinner ??= setInterval(() => {
      this.#frame += 1;
      for (const card of this.#session.runningCards) card.tick(this.#frame);
      this.#options.requestRender();
    }, FRAME_MS).unref();
  }

  #highlight(code: string, language: string): string[] {
    const { theme } = this.#options;
    if (theme.color && !this.#isHighlighterWanted) {
      this.#isHighlighterWanted = true;
      void this.#loadHighlighter();
    }
    return highlightLines(code, language, theme);
  }

  /** Draws code again that was drawn before the highlighter was loaded. */
  async #loadHighlighter(): Promise<void> {
    if (!(await loadHighlighter()) || this.#isDisposed) return;
    this.invalidate();
    this.#options.requestRender();
  }

  /** Draws streamed messages again after a time, or earlier. */
  #renderLater(ms: number): void {
    const at = performance.now() + ms;
    if (this.#isDisposed || (this.#later !== undefined && this.#laterAt <= at)) return;
    clearTimeout(this.#later);
    this.#laterAt = at;
    this.#later = setTimeout(() => {
      this.#later = undefined;
      for (const reply of this.#session.streamedReplies) reply.changed();
      this.#options.requestRender();
    }, ms).unref();
  }
}
