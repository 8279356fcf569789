import type { CustomView } from "../../core/custom-view.ts";
import type { LoggedQuestion, QuestionAnswer } from "../../core/question.ts";
import type { NoticeKind } from "./chat-actions.ts";
import type { ChatScreen } from "./chat-screen.ts";
import { CustomPanel } from "./panels/custom-panel.ts";
import { safeText } from "./safe-text.ts";
import type { ToolUiScreen } from "./tool-ui.ts";

/** The parts of the screen that tool files change. */
export class ToolScreen implements ToolUiScreen {
  readonly #screen: ChatScreen;
  readonly #statuses = new Map<string, string>();

  constructor(screen: ChatScreen) {
    this.#screen = screen;
  }

  get statuses(): readonly string[] {
    return [...this.#statuses.values()];
  }

  /** Whether a component of a tool file has the keys. A question above it takes them. */
  get hasKeys(): boolean {
    return this.#screen.panel instanceof CustomPanel;
  }

  notice(text: string, kind: NoticeKind): void {
    this.#screen.transcript.addNotice(text, kind);
    this.#render();
  }

  setStatus(key: string, text: string | undefined): void {
    if (text === undefined || text === "") this.#statuses.delete(key);
    else this.#statuses.set(key, text);
    this.#render();
  }

  setWidget(key: string, lines: readonly string[] | undefined, place: "above" | "below"): void {
    this.#screen.setWidget(key, lines, place);
  }

  setWorking(text: string | undefined): void {
    this.#screen.activity.working = text;
    this.#render();
  }

  get editorText(): string {
    return this.#screen.editor.getText();
  }

  set editorText(text: string) {
    this.#screen.editor.setText(safeText(text));
    this.#render();
  }

  insertText(text: string): void {
    this.#screen.editor.insertTextAtCursor(safeText(text));
    this.#render();
  }

  get isExpanded(): boolean {
    return this.#screen.transcript.isExpanded;
  }

  set isExpanded(isExpanded: boolean) {
    this.#screen.transcript.isExpanded = isExpanded;
    this.#render();
  }

  async showCustom(view: CustomView): Promise<void> {
    const { theme } = this.#screen;
    const close = this.#screen.open(new CustomPanel(view, theme, this.#screen.tui));
    await view.closed;
    close();
  }

  ask(question: LoggedQuestion, signal?: AbortSignal): Promise<QuestionAnswer> {
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    const none = (): void => resolve({ allowed: false });
    const close = this.#screen.ask(question, { answer: resolve, stop: none });
    signal?.addEventListener("abort", none, { once: true });
    return promise.finally(() => {
      signal?.removeEventListener("abort", none);
      close();
    });
  }

  #render(): void {
    this.#screen.tui.requestRender();
  }
}
