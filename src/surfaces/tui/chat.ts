import type { SelectItem, Terminal } from "@earendil-works/pi-tui";
import type { Builtins } from "../../catalog/builtin-selection.ts";
import { messageOf } from "../../core/error.ts";
import type { LoggedQuestion, QuestionAnswer } from "../../core/question.ts";
import type { FollowedEvent } from "../../core/session-log.ts";
import { countText } from "../../platform/text/amount-text.ts";
import { defined } from "../../platform/values/defined.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { within } from "../../platform/waiting/within.ts";
import type { Environment } from "../../settings/defaults.ts";
import type { Mode } from "../../settings/permissions/rule.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import { announceLogs } from "./announce-logs.ts";
import { announceProblems } from "./announce-problems.ts";
import type { AgentChoice, ChatActions, ChatState, NoticeKind } from "./chat-actions.ts";
import { handleKey, type KeyActions } from "./chat-keys.ts";
import { ChatScreen } from "./chat-screen.ts";
import { type ChatChoices, type ChatListener, ChatSession, type ChatTurnOptions } from "./chat-session.ts";
import type { Status } from "./chat-status.ts";
import { ChatTerminal, suspendChat } from "./chat-terminal.ts";
import { createChatTheme } from "./chat-theme.ts";
import { modeWith } from "./commands/mode-command.ts";
import { runLine } from "./commands/run-line.ts";
import { type ChatCompletion, chatCompletion } from "./completion/chat-completion.ts";
import { InputHistory } from "./input-history.ts";
import { ChoicePanel } from "./panels/choice-panel.ts";
import { ShownQuestion } from "./shown-question.ts";
import { guardTerminal } from "./terminal-guard.ts";
import { ToolScreen } from "./tool-screen.ts";
import { toolUi } from "./tool-ui.ts";

interface ChatOptions {
  readonly toolbox: Toolbox;
  readonly choices: ChatChoices;
  readonly turn: ChatTurnOptions;
  /** The session to show; by default a new one. */
  readonly sessionID?: string;
  readonly color: boolean;
  readonly env: Environment;
  readonly agents: () => Promise<readonly AgentChoice[]>;
  /** What the user should know before the first prompt. */
  readonly notices: readonly string[];
  /** By default the terminal of this process. */
  readonly terminal?: Terminal;
}

interface ChatEnd {
  readonly code: number;
  /** The session that was shown last; undefined if it has no prompt and no call. */
  readonly sessionID: string | undefined;
}

/** Runs the chat until the user leaves. The terminal is restored then. */
export function runChat(options: ChatOptions): Promise<ChatEnd> {
  return new Chat(options).run();
}

/** One chat: connects the session, the screen and the commands. */
class Chat implements ChatActions, ChatListener, KeyActions {
  readonly toolbox: Toolbox;
  readonly env: Environment;
  readonly #options: ChatOptions;
  readonly #session: ChatSession;
  readonly #screen: ChatScreen;
  readonly #history: InputHistory;
  readonly #completion: ChatCompletion;
  readonly #toolScreen: ToolScreen;
  /** The built-in tools that each agent gets, as far as they are known. */
  readonly #builtins = new Map<string, Builtins>();
  /** What runs beside the session: commands of tool files. */
  readonly #stoppable = new Set<AbortController>();
  readonly #ended = Promise.withResolvers<number>();
  readonly #question: ShownQuestion;
  /** Whether the text in the input begins with a space: it is not kept for later runs. */
  #isPrivate = false;
  /** The place of the turn in the queue of turns; 0 if it does not wait. */
  #place = 0;
  /** Whether the user has stopped what runs. */
  #isStopping = false;
  #isEnded = false;

  constructor(options: ChatOptions) {
    const { toolbox, choices, turn, color, terminal = new ChatTerminal() } = options;
    this.#options = options;
    this.toolbox = toolbox;
    this.env = options.env;
    this.#session = new ChatSession(toolbox, this, choices, turn);
    const theme = createChatTheme({ color });
    this.#screen = new ChatScreen({ terminal, theme, toolbox, status: () => this.#status() });
    this.#toolScreen = new ToolScreen(this.#screen);
    this.#history = new InputHistory(toolbox.project);
    this.#completion = chatCompletion(this);
    this.#question = new ShownQuestion({
      questions: () => this.#session.questions,
      isTyping: () => this.hasText || this.hasPanel,
      open: (question, answer) => this.#ask(question, answer),
      answer: (questionID, given) => this.#session.answer(questionID, given),
    });
  }

  async run(): Promise<ChatEnd> {
    const { tui } = this.#screen;
    // A terminal that is gone cannot be restored.
    const restore = once(() => void tryOrUndefined(() => tui.stop()));
    const leave = (code: number): void => this.#ended.resolve(code);
    const stopGuard = guardTerminal({ restore, leave, isLeaving: () => this.#isEnded });
    const stopListening = await this.#listen();
    tui.start();
    void this.#begin().catch((error: unknown) => this.#fail(error));
    const code = await this.#ended.promise;
    this.#isEnded = true;
    this.#isStopping = true;
    this.#completion.close();
    await stopListening();
    const closed = this.#session.close();
    this.changed();
    await within(LAST_EVENTS_MS, closed);
    this.#question.stop();
    this.#screen.finish();
    restore();
    await closed;
    stopGuard();
    return { code, sessionID: this.#session.info?.id };
  }

  /** Connects the input, and shows the first session. */
  async #begin(): Promise<void> {
    const { editor, tui } = this.#screen;
    const { sessionID, notices } = this.#options;
    editor.setAutocompleteProvider(this.#completion);
    editor.onSubmit = (text) => void this.#submit(text);
    tui.addInputListener((data) => {
      // The editor removes space at both ends before it submits.
      this.#isPrivate = /^\s/.test(editor.getText());
      return this.#question.pressed(data) ? { consume: true } : handleKey(data, this);
    });
    this.#greet();
    for (const text of notices) this.notice(text, "warning");
    for (const text of await this.#history.read()) editor.addToHistory(text);
    void this.agents().catch(() => {});
    if (sessionID !== undefined) return this.openSession(sessionID);
    if (this.#session.agent === "") await runLine("/agent", this);
  }

  get state(): ChatState {
    const { sessionID, info, agent, model, mode, tools, isRunning } = this.#session;
    const builtins = this.#options.turn.builtins ?? this.#builtins.get(agent);
    return { sessionID, info, agent, model, mode, tools, isRunning, ...defined({ builtins }) };
  }

  async agents(): Promise<readonly AgentChoice[]> {
    const found = await this.#options.agents();
    for (const { name, builtins } of found) this.#builtins.set(name, builtins);
    return found;
  }

  show(markdown: string): void {
    this.#screen.transcript.addMarkdown(markdown);
    this.#screen.tui.requestRender();
  }

  notice(text: string, kind: NoticeKind = "info"): void {
    this.#screen.transcript.addNotice(text, kind);
    this.#screen.tui.requestRender();
  }

  pick(title: string, items: readonly SelectItem[]): Promise<SelectItem | undefined> {
    const { promise, resolve } = Promise.withResolvers<SelectItem | undefined>();
    const options = {
      title,
      items,
      filter: true,
      maxVisible: 10,
      hint: "Type to filter · ↑↓ move · Enter chooses · Esc closes",
    };
    const close = this.#screen.open(new ChoicePanel(options, this.#screen.theme, resolve));
    return promise.finally(close);
  }

  openSession(sessionID: string): Promise<void> {
    return this.#session.open(sessionID);
  }

  newSession(): void {
    this.#session.begin();
  }

  setAgent(agent: string): void {
    this.#session.choose({ agent, model: undefined });
  }

  setModel(model: string | undefined): void {
    this.#session.choose({ model });
  }

  setMode(mode: Mode): void {
    this.#session.choose({ mode });
  }

  send(prompt: string): void {
    if (this.#session.agent !== "") return this.#session.send(prompt);
    this.#screen.editor.setText(prompt);
    this.notice("Choose an agent first: /agent", "warning");
  }

  callTool(name: string, input: unknown): void {
    void this.#session.call(name, input).catch((error: unknown) => this.#fail(error));
  }

  async runStoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopping = new AbortController();
    this.#stoppable.add(stopping);
    this.changed();
    try {
      return await work(stopping.signal);
    } finally {
      this.#stoppable.delete(stopping);
      this.changed();
    }
  }

  quit(): void {
    this.#ended.resolve(0);
  }

  event(event: FollowedEvent): void {
    this.#screen.transcript.apply(event);
    this.#screen.tui.requestRender();
  }

  opened(waiting: readonly string[]): void {
    this.#screen.transcript.clear();
    this.#place = 0;
    this.#isStopping = false;
    this.#giveBack(waiting);
    this.changed();
  }

  changed(): void {
    this.#question.update();
    const { agent, waiting } = this.#session;
    if (!this.isRunning) this.#isStopping = false;
    const hint = this.#isStopping ? "" : "Esc stops";
    this.#screen.activity.set(this.isRunning ? this.#activityText(agent) : undefined, waiting, hint);
    this.#screen.tui.requestRender();
  }

  #activityText(agent: string): string {
    if (this.#isStopping) return "Stopping";
    if (this.#place > 0) return `Waiting: place ${this.#place} in the queue`;
    const { isTurnRunning, waiting } = this.#session;
    if (!isTurnRunning && waiting.length > 0) return "Waiting until the session is free";
    return `${isTurnRunning && agent !== "" ? agent : "A tool"} works`;
  }

  get isGrabbed(): boolean {
    return this.#toolScreen.hasKeys;
  }

  get hasPanel(): boolean {
    return this.#screen.hasPanel;
  }

  get isCompleting(): boolean {
    return this.#screen.editor.isShowingAutocomplete();
  }

  get isRunning(): boolean {
    return this.#session.isRunning || this.#stoppable.size > 0;
  }

  get hasText(): boolean {
    return this.#screen.editor.getText() !== "";
  }

  get isLeaving(): boolean {
    return this.#screen.hint.text === LEAVE_HINT;
  }

  stop(): void {
    this.#isStopping = true;
    this.#giveBack(this.#session.takeWaiting());
    for (const stopping of this.#stoppable) stopping.abort();
    void this.#session.stop();
    this.changed();
  }

  /** Puts prompts that were not sent into the input, before its text. */
  #giveBack(prompts: readonly string[]): void {
    if (prompts.length === 0) return;
    const { editor } = this.#screen;
    const typed = editor.getExpandedText();
    editor.setText([...prompts, ...(typed === "" ? [] : [typed])].join("\n\n"));
  }

  clearText(): void {
    this.#screen.editor.setText("");
  }

  warnLeave(): void {
    this.#screen.hint.show(LEAVE_HINT);
  }

  leave(): void {
    this.quit();
  }

  toggleExpanded(): void {
    const { transcript, tui } = this.#screen;
    transcript.isExpanded = !transcript.isExpanded;
    tui.requestRender();
  }

  toggleThinking(): void {
    this.#screen.transcript.toggleThinking();
    this.#screen.tui.requestRender();
  }

  nextMode(): void {
    const at = MODES.indexOf(this.#mode);
    this.setMode(MODES[(at + 1) % MODES.length] ?? "default");
  }

  suspend(): void {
    suspendChat(this.#screen.tui, () => this.#isEnded);
  }

  redraw(): void {
    this.#screen.tui.requestRender(true);
  }

  async #submit(text: string): Promise<void> {
    if (text.trim() === "") return;
    this.#screen.editor.addToHistory(text);
    if (!this.#isPrivate) void this.#history.add(text);
    await runLine(text, this);
  }

  /** Returns a function that closes the panel. */
  #ask(question: LoggedQuestion, answer: (given: QuestionAnswer) => void): () => void {
    const close = this.#screen.ask(question, {
      answer,
      stop: () => {
        // If the log cannot be written, the question stays open there.
        close();
        this.stop();
      },
    });
    return close;
  }

  /** Returns a function that ends all subscriptions. */
  async #listen(): Promise<() => Promise<void>> {
    const { toolbox } = this;
    const stops = [
      toolbox.on("notice", ({ sessionID, message }) => sessionID === this.#session.sessionID && this.notice(message)),
      announceLogs(toolbox, (text) => this.notice(text)),
      toolbox.on("queue", ({ sessionID, position }) => {
        if (sessionID !== this.#session.sessionID) return;
        this.#place = position;
        this.changed();
      }),
      announceProblems(toolbox, (text, kind) => this.notice(text, kind)),
    ];
    toolbox.setUIContext(toolUi(this.#toolScreen));
    const unwatch = await toolbox.watch();
    return async () => {
      for (const stop of stops) stop();
      toolbox.setUIContext(undefined);
      await unwatch();
    };
  }

  #greet(): void {
    const own = this.toolbox.list().filter(({ enabled, source }) => enabled && source !== "builtin").length;
    this.notice(`${countText(own, "tool")} of yours. /help lists commands and keys.`);
  }

  get #mode(): Mode {
    return modeWith(this.#session.mode, this);
  }

  #status(): Status {
    const { agent, model, info, usage } = this.#session;
    const ofTools = this.#toolScreen.statuses;
    return { agent, model, mode: this.#mode, title: info?.title, usage, ofTools };
  }

  #fail(error: unknown): void {
    this.notice(messageOf(error), "error");
  }
}

const LEAVE_HINT = "Press Ctrl-C again to leave.";
/** How long a turn that is stopped because the user leaves is still shown. */
const LAST_EVENTS_MS = 500;
const MODES: readonly Mode[] = ["default", "acceptEdits", "plan"];

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
