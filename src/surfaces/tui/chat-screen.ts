import {
  type Component,
  Container,
  Editor,
  Spacer,
  type Terminal,
  type TUI,
  TuiMainScreen,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { LoggedQuestion, QuestionAnswer } from "../../core/question.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { ActivityLine } from "./activity-line.ts";
import { ChatStatusLine, type Status } from "./chat-status.ts";
import { type ChatTheme, withoutStyles } from "./chat-theme.ts";
import { HintLine } from "./hint-line.ts";
import type { Panel } from "./panels/panel.ts";
import { type QuestionPanelOptions, questionPanel } from "./panels/question-panel.ts";
import { safeStyled } from "./safe-text.ts";
import { ChatTranscript } from "./transcript/chat-transcript.ts";

interface ScreenOptions {
  readonly terminal: Terminal;
  readonly theme: ChatTheme;
  readonly toolbox: Toolbox;
  readonly status: () => Status;
}

/** A tool file can show this many lines at once. */
const MAX_WIDGET_LINES = 10;

/** The layout of the chat: transcript, activity, widgets, then the input or a panel in its place, then the status. */
export class ChatScreen {
  readonly tui: TUI;
  readonly theme: ChatTheme;
  readonly transcript: ChatTranscript;
  readonly activity: ActivityLine;
  readonly hint: HintLine;
  readonly editor: Editor;
  readonly #bottom = new Container();
  readonly #widgets = new Map<string, { readonly lines: readonly string[]; readonly place: "above" | "below" }>();
  /** The newest one is shown. */
  readonly #panels: Panel[] = [];
  #rowsBelow = 0;

  constructor({ terminal, theme, toolbox, status }: ScreenOptions) {
    this.theme = theme;
    // Without colours, the cursor of the input is that of the terminal: the component draws its own in reverse video.
    const tui = new TuiMainScreen(terminal, !theme.color);
    this.tui = tui;
    const requestRender = (): void => tui.requestRender();
    this.transcript = new ChatTranscript({
      theme,
      color: theme.color,
      draw: (request) => toolbox.render(request),
      cwd: toolbox.project.directory,
      requestRender,
      visibleRows: () => Math.max(1, terminal.rows - this.#rowsBelow),
    });
    this.activity = new ActivityLine(theme, requestRender, () => this.hasPanel);
    this.hint = new HintLine(theme, requestRender);
    this.editor = new Editor(tui, theme.editor);
    tui.addChild(this.transcript);
    tui.addChild(
      this.#counted([
        this.activity,
        this.#widgetsAt("above"),
        theme.color ? this.#bottom : unstyled(this.#bottom),
        this.#widgetsAt("below"),
        this.hint,
        new ChatStatusLine(theme, status),
      ]),
    );
    this.#focus();
  }

  /** Shows a panel in the place of the input, above other panels. Returns a function that closes it. */
  open(panel: Panel): () => void {
    this.#panels.push(panel);
    this.#focus();
    return () => {
      const at = this.#panels.indexOf(panel);
      if (at === -1) return;
      this.#panels.splice(at, 1);
      this.#focus();
    };
  }

  /** Asks a question in the place of the input. Returns a function that closes it. */
  ask(question: LoggedQuestion, { answer, stop }: Pick<QuestionPanelOptions, "answer" | "stop">): () => void {
    let close = (): void => {};
    const replace = (panel: Panel): void => {
      close();
      close = this.open(panel);
    };
    const done = (given: QuestionAnswer): void => {
      close();
      answer(given);
    };
    replace(questionPanel(question, { theme: this.theme, tui: this.tui, replace, answer: done, stop }));
    return () => close();
  }

  /** Leaves only the transcript on the screen. */
  finish(): void {
    this.activity.stop();
    this.hint.clear();
    this.transcript.dispose();
    for (const part of this.tui.children.slice(1)) this.tui.removeChild(part);
    // When pi-tui stops, it writes a space at the cursor, which is then at the beginning of the last line.
    this.tui.addChild(new Spacer(1));
    this.tui.renderNow();
  }

  get panel(): Panel | undefined {
    return this.#panels.at(-1);
  }

  get hasPanel(): boolean {
    return this.panel !== undefined;
  }

  setWidget(key: string, lines: readonly string[] | undefined, place: "above" | "below"): void {
    if (lines) this.#widgets.set(key, { lines: lines.slice(0, MAX_WIDGET_LINES), place });
    else this.#widgets.delete(key);
    this.tui.requestRender();
  }

  #focus(): void {
    const shown = this.panel ?? this.editor;
    this.#bottom.clear();
    this.#bottom.addChild(shown);
    this.tui.setFocus(shown);
    this.tui.requestRender();
  }

  /** Below the transcript. Its number of rows decides which rows of the transcript are visible. */
  #counted(parts: readonly Component[]): Component {
    return {
      invalidate: () => parts.forEach((part) => void part.invalidate()),
      render: (width) => {
        const lines = parts.flatMap((part) => part.render(width));
        this.#rowsBelow = lines.length;
        return lines;
      },
    };
  }

  #widgetsAt(place: "above" | "below"): Component {
    return {
      invalidate: () => {},
      render: (width) =>
        [...this.#widgets.values()]
          .filter((widget) => widget.place === place)
          .flatMap(({ lines }) => lines.map((line) => truncateToWidth(safeStyled(line, this.theme.color), width, "…"))),
    };
  }
}

function unstyled(component: Component): Component {
  return {
    invalidate: () => component.invalidate(),
    render: (width) => component.render(width).map(withoutStyles),
  };
}
