import type { SelectItem } from "@earendil-works/pi-tui";
import type { AgentChoice, ChatActions, ChatState } from "../../src/surfaces/tui/chat-actions.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";

export interface RecordedChatOptions {
  readonly state?: Partial<ChatState>;
  readonly agents?: readonly AgentChoice[];
  readonly env?: Readonly<Record<string, string>>;
  /** Chooses from a list; by default, the list is closed. */
  readonly pick?: (items: readonly SelectItem[], title: string) => SelectItem | undefined;
}

/** A chat without a screen: it writes down what commands do. */
export class RecordedChat implements ChatActions {
  readonly toolbox: Toolbox;
  readonly env: Readonly<Record<string, string>>;
  readonly log: string[] = [];
  state: ChatState;
  readonly #options: RecordedChatOptions;

  constructor(toolbox: Toolbox, options: RecordedChatOptions = {}) {
    this.toolbox = toolbox;
    this.env = options.env ?? {};
    this.#options = options;
    this.state = {
      sessionID: "here",
      info: undefined,
      agent: "claude",
      model: undefined,
      mode: undefined,
      tools: undefined,
      isRunning: false,
      ...options.state,
    };
  }

  /** What was written since the last time. */
  taken(): string {
    return this.log.splice(0).join("\n");
  }

  agents(): Promise<readonly AgentChoice[]> {
    return Promise.resolve(this.#options.agents ?? []);
  }

  pick(title: string, items: readonly SelectItem[]): Promise<SelectItem | undefined> {
    const rows = items.map(({ label, description }) =>
      description === undefined ? label : `${label} | ${description}`,
    );
    this.log.push([`pick ${title}`, ...rows.map((row) => `  ${row}`)].join("\n"));
    return Promise.resolve(this.#options.pick?.(items, title));
  }

  async openSession(sessionID: string): Promise<void> {
    this.log.push(`open ${sessionID}`);
  }

  show(markdown: string): void {
    this.log.push(markdown);
  }

  notice(text: string, kind = "info"): void {
    // Shown after a second, which passes or not depending on the machine.
    if (text === "Reading the tool files …") return;
    this.log.push(`${kind}: ${text}`);
  }

  newSession(): void {
    this.log.push("new session");
  }

  setAgent(agent: string): void {
    this.state = { ...this.state, agent };
    this.log.push(`agent ${agent}`);
  }

  setModel(model: string | undefined): void {
    this.state = { ...this.state, model };
    this.log.push(`model ${model}`);
  }

  setMode(mode: NonNullable<ChatState["mode"]>): void {
    this.state = { ...this.state, mode };
    this.log.push(`mode ${mode}`);
  }

  send(prompt: string): void {
    this.log.push(`send ${JSON.stringify(prompt)}`);
  }

  callTool(name: string, input: unknown): void {
    this.log.push(`call ${name} ${JSON.stringify(input)}`);
  }

  toggleExpanded(): void {
    this.log.push("expand");
  }

  runStoppable<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return work(new AbortController().signal);
  }

  quit(): void {
    this.log.push("quit");
  }
}
