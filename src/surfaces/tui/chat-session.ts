import type { Run } from "../../calls/call.ts";
import { messageOf } from "../../core/error.ts";
import type { FollowedEvent, LoggedQuestion, QuestionAnswer, SessionInfo, Usage } from "../../core/session-log.ts";
import { SessionError } from "../../core/session-store.ts";
import { defined } from "../../platform/values/defined.ts";
import type { SendOptions, Turn } from "../../sessions/turn.ts";
import type { Mode } from "../../settings/permissions/rule.ts";
import type { Toolbox } from "../../toolbox/toolbox.ts";
import type { ChatState, NoticeKind } from "./chat-actions.ts";
import { SessionFollower } from "./session-follower.ts";

/** How turns of the chat run. */
export interface ChatChoices {
  /** Undefined until the user has chosen one. */
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly mode: Mode | undefined;
}

/** The options of all turns of a chat. */
export type ChatTurnOptions = Pick<SendOptions, "baseUrl" | "builtins" | "tools">;

/** What a chat shows of its session. */
export interface ChatListener {
  event(event: FollowedEvent): void;
  notice(text: string, kind: NoticeKind): void;
  /** Another session is shown: what was shown so far is not part of it. `waiting` are prompts that were not sent to the old one. */
  opened(waiting: readonly string[]): void;
  /** The state, the usage, the open questions or the waiting prompts have changed. */
  changed(): void;
}

/** The session of a chat: sends prompts, calls tools, follows the log. Another process may run the same session. */
export class ChatSession implements ChatState {
  readonly #toolbox: Toolbox;
  readonly #listener: ChatListener;
  readonly #options: ChatTurnOptions;
  /** The calls of the user, and the sessions that they belong to. */
  readonly #runs = new Map<Run, string>();
  /** Prompts that wait until the running turn ends. */
  readonly #waiting: string[] = [];
  #sessionID: string = crypto.randomUUID();
  #follower: SessionFollower | undefined;
  #choices: ChatChoices;
  /** The only tools that were chosen for the session that is shown. */
  #storedTools: readonly string[] | undefined;
  #turn: Turn | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(toolbox: Toolbox, listener: ChatListener, choices: ChatChoices, options: ChatTurnOptions = {}) {
    this.#toolbox = toolbox;
    this.#listener = listener;
    this.#choices = choices;
    this.#options = options;
  }

  get sessionID(): string {
    return this.#sessionID;
  }

  get info(): SessionInfo | undefined {
    return this.#follower?.info;
  }

  get agent(): string {
    return this.#choices.agent ?? this.info?.agent ?? "";
  }

  get model(): string | undefined {
    return this.#choices.model ?? (this.#isOtherAgent ? undefined : this.info?.model);
  }

  get mode(): Mode | undefined {
    return this.#choices.mode;
  }

  get tools(): readonly string[] | undefined {
    return this.#options.tools ?? this.#storedTools;
  }

  get isRunning(): boolean {
    return this.isTurnRunning || this.#waiting.length > 0 || [...this.#runs.values()].includes(this.#sessionID);
  }

  /** Whether the agent works, in this process or in another one. */
  get isTurnRunning(): boolean {
    return this.#turn !== undefined || this.info?.turn === "running";
  }

  get usage(): Usage {
    return this.#follower?.usage ?? {};
  }

  /** The open questions, oldest first. */
  get questions(): readonly LoggedQuestion[] {
    return this.#follower?.questions ?? [];
  }

  get waiting(): readonly string[] {
    return this.#waiting;
  }

  get #isOtherAgent(): boolean {
    return this.#choices.agent !== undefined && this.#choices.agent !== this.info?.agent;
  }

  choose(choices: Partial<ChatChoices>): void {
    this.#choices = { ...this.#choices, ...choices };
    this.#listener.changed();
  }

  /** Shows a session of the store. Rejects with a `SessionError` if there is none. */
  async open(sessionID: string): Promise<void> {
    await this.#toolbox.sessions.open(sessionID, { mustExist: true, answerable: true });
    const { mode, tools } = await this.#toolbox.sessions.choices(sessionID);
    this.#leave(sessionID);
    this.#storedTools = tools;
    this.#choices = { agent: undefined, model: undefined, mode };
    void this.#toolbox.sessions.switch(sessionID).catch((error: unknown) => this.#fail(error));
    await this.#follow();
  }

  /** Shows an empty session. It is created with its first prompt or call. */
  begin(): void {
    const { agent, model } = this;
    this.#leave(crypto.randomUUID());
    this.#storedTools = undefined;
    this.#choices = { agent: agent === "" ? undefined : agent, model, mode: this.#choices.mode };
    this.#listener.changed();
  }

  /** Sends a prompt to the agent. While a turn runs, the prompt waits. */
  send(prompt: string): void {
    this.#waiting.push(prompt);
    if (this.#waiting.length === 1) this.#sendNext();
    this.#listener.changed();
  }

  #sendNow(prompt: string): void {
    const { agent, model, mode } = this.#choices;
    const turn = this.#toolbox.sessions.send(this.#sessionID, prompt, {
      ...this.#options,
      answerable: true,
      ...defined({ agent, model, mode }),
    });
    this.#turn = turn;
    this.#listener.changed();
    void this.#finish(turn, prompt).catch((error: unknown) => this.#fail(error));
  }

  takeWaiting(): readonly string[] {
    return this.#waiting.splice(0);
  }

  /** Calls a tool for the user, who has chosen the call. */
  async call(name: string, input: unknown): Promise<void> {
    const sessionID = this.#sessionID;
    await this.#toolbox.sessions.open(sessionID, { answerable: true });
    if (sessionID === this.#sessionID) await this.#follow();
    const run = this.#toolbox.call({ name, input, sessionID, caller: "chat", callerIsAsked: true, answerable: true });
    this.#runs.set(run, sessionID);
    this.#listener.changed();
    const result = await run.result;
    this.#runs.delete(run);
    // A call that was refused before it started is not in the log.
    if (!result.ok && result.error.code === "unknown_tool") this.#listener.notice(result.error.message, "error");
    this.#listener.changed();
  }

  /** Stops the turn and the calls of the session, in whichever process they run. */
  async stop(): Promise<void> {
    if (this.#turn) return this.#turn.abort();
    if (!this.isRunning) return;
    await this.#toolbox.sessions.cancel(this.#sessionID).catch((error: unknown) => this.#fail(error));
  }

  /** Answers an open question. False if the answer was not taken: the user is told why, and the question may still be open. */
  async answer(questionID: string, answer: QuestionAnswer): Promise<boolean> {
    try {
      await this.#toolbox.sessions.answer(questionID, answer);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** Stops the turn that runs in this process, and the reading of the log. */
  async close(): Promise<void> {
    const turn = this.#turn;
    clearTimeout(this.#retry);
    turn?.abort();
    for (const run of this.#runs.keys()) run.abort();
    await turn?.result;
    this.#follower?.stop();
  }

  async #finish(turn: Turn, prompt: string): Promise<void> {
    const begun = await turn.begun;
    if (begun !== undefined && turn.sessionID === this.#sessionID) await this.#follow();
    const result = await turn.result;
    if (this.#turn === turn) this.#turn = undefined;
    // A failure before the prompt was stored is not in the log.
    if (!result.ok && begun === undefined) {
      if (result.error.code === "owned" && turn.sessionID === this.#sessionID) return this.#sendLater(prompt);
      this.#listener.notice(result.error.message, "error");
    }
    this.#listener.changed();
    this.#sendNext();
  }

  /** Another process was faster: its turn runs first. */
  #sendLater(prompt: string): void {
    this.#waiting.unshift(prompt);
    this.#listener.changed();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#sendNext(), RETRY_MS);
  }

  #sendNext(): void {
    if (this.isTurnRunning) return;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#sendNow(next);
  }

  async #follow(): Promise<void> {
    if (this.#follower) return;
    const store = await this.#toolbox.sessions.store();
    if (this.#follower) return;
    const follower = new SessionFollower(store, this.#sessionID);
    this.#follower = follower;
    const read = follower.follow((event) => {
      if (this.#follower !== follower) return;
      this.#listener.event(event);
      if ("position" in event) this.#listener.changed();
      if (endsTurn(event)) this.#sendNext();
    });
    void read.catch((error: unknown) => this.#follower === follower && this.#lose(error));
  }

  /** The log can no longer be read. The next prompt or call reads it again; that of a removed session begins a new one. */
  #lose(error: unknown): void {
    if (SessionError.is(error) && error.code === "session_removed") {
      this.begin();
      this.#listener.notice("The session was removed. The next prompt begins a new one.", "warning");
      return;
    }
    this.#follower = undefined;
    this.#fail(error);
    this.#listener.changed();
  }

  /** Shows another session. A turn of the old one that runs in this process goes on. */
  #leave(sessionID: string): void {
    this.#follower?.stop();
    this.#follower = undefined;
    this.#turn = undefined;
    this.#sessionID = sessionID;
    this.#listener.opened(this.takeWaiting());
  }

  #fail(error: unknown): void {
    this.#listener.notice(messageOf(error), "error");
  }
}

/** After this time, a prompt is sent again that another process did not let through. */
const RETRY_MS = 200;

function endsTurn({ type }: FollowedEvent): boolean {
  return type === "session.idle" || type === "session.error" || type === "session.interrupted";
}
