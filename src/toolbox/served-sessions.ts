import type { AskingForeignCall } from "../calls/ask-foreign.ts";
import type { ForeignCall } from "../calls/permit-foreign.ts";
import type { RegistryEntry } from "../catalog/registry/registry-entry.ts";
import type { ToolCatalog } from "../catalog/tool-catalog.ts";
import { notReady } from "../core/agent-error.ts";
import type { AgentContext, AgentSource, CodingAgent, DialogAnswer, PermitAnswer } from "../core/coding-agent.ts";
import { MODE_NAMES, modeNamed } from "../core/permission-mode.ts";
import type { QuestionAnswer, QuestionAskedEvent } from "../core/question.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { SessionInfo } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import { defined } from "../platform/values/defined.ts";
import { Listeners } from "../platform/values/listeners.ts";
import type { TaskOptions } from "../sessions/agent-attachments.ts";
import type { OpenQuestions } from "../sessions/open-questions.ts";
import { RunningTurn } from "../sessions/running-turn.ts";
import type { SessionFiles } from "../sessions/session-files.ts";
import type { OpenSession, SessionChoices, Sessions } from "../sessions/sessions.ts";
import type { Prompt, SendOptions, Turn } from "../sessions/turn.ts";
import { type QueuePlace, TurnSlots } from "../sessions/turn-slots.ts";
import type { Turns } from "../sessions/turns.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import { agentContext } from "./agent-context.ts";
import { AgentPool } from "./agent-pool.ts";
import { type AgentToolbox, createAgentTools } from "./agent-tools.ts";
import type { Report, SessionStart, ToolboxEvents, ToolboxSessions, UIContext } from "./toolbox.ts";
import type { UiRequests } from "./ui-requests.ts";

interface ServedSessionsParts {
  readonly toolbox: AgentToolbox;
  readonly catalog: ToolCatalog;
  readonly sessions: Sessions;
  readonly files: SessionFiles;
  readonly questions: OpenQuestions;
  readonly ui: UiRequests;
  readonly agents: AgentSource | undefined;
  readonly env: AgentContext["env"];
  /** The tools that programs have registered with an agent, by name. */
  readonly registeredTools: (agent: CodingAgent) => Promise<ReadonlyMap<string, RegistryEntry>>;
  readonly permit: (call: ForeignCall) => Promise<PermitAnswer>;
  readonly ask: (call: AskingForeignCall) => Promise<DialogAnswer>;
}

const MODES = `Use one of ${MODE_NAMES.join(", ")}.`;

type SentOptions = Omit<TaskOptions, "mode"> & Pick<SendOptions, "mode">;

/** How long an agent may take to start, if no turn waits for it. */
const START_MS = 60_000;

/** The implementation of `ToolboxSessions`. The code that runs turns of agents is loaded with the first turn. */
export class ServedSessions implements ToolboxSessions {
  readonly #parts: ServedSessionsParts;
  readonly #agents: AgentPool;
  readonly #notices = new Listeners<ToolboxEvents["notice"]>();
  readonly #slots: TurnSlots;
  #loading: Promise<Turns> | undefined;
  #isStopping = false;

  constructor(parts: ServedSessionsParts) {
    this.#parts = parts;
    this.#agents = new AgentPool(parts.agents, () => agentContext(parts.toolbox.project, parts.env));
    this.#slots = new TurnSlots(() => parts.toolbox.project.settings.agents.maxTurns);
    parts.files.onAction(({ sessionID, action }) => this.#act(sessionID, action));
  }

  open(sessionID: string, options?: OpenSession): Promise<SessionInfo> {
    return this.#parts.sessions.open(sessionID, options);
  }

  store(): Promise<SessionStore> {
    return this.#parts.sessions.store();
  }

  send(sessionID: string, prompt: Prompt, { mode: name, ...given }: SentOptions = {}): Turn {
    const mode = modeNamed(name);
    if (name !== undefined && mode === undefined)
      throw new TypeError(`There is no permission mode "${name}". ${MODES}`);
    const options = { ...given, ...defined({ mode }) };
    return new RunningTurn(sessionID, async (turn) => (await this.#turns()).run(turn, prompt, options), options.signal);
  }

  /** The turn of a session waits for a person until the returned function is called. */
  pauseTurn(sessionID: string): () => void {
    return this.#slots.pause(sessionID);
  }

  get queue(): readonly string[] {
    return this.#slots.waiting;
  }

  onQueue(listener: (place: QueuePlace) => void): () => void {
    return this.#slots.onChange(listener);
  }

  onNotice(listener: (notice: ToolboxEvents["notice"]) => void): () => void {
    return this.#notices.listen(listener);
  }

  async startAgent(name: string | undefined = this.#parts.toolbox.project.settings.agents.default): Promise<string> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(notReady(name ?? "The agent", START_MS)), START_MS);
    try {
      return (await this.#agents.get(name, limit.signal)).name;
    } finally {
      clearTimeout(timer);
    }
  }

  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    await (await this.#loading)?.stop(ms);
  }

  async detach(sessionID: string): Promise<void> {
    await (await this.#loading)?.detach(sessionID);
  }

  async branch(sessionID: string, { at, id }: { at?: number; id?: string } = {}): Promise<SessionInfo> {
    const { sessions } = this.#parts;
    const store = await sessions.store();
    const last = (await store.get(sessionID))?.position ?? 0;
    const branch = await store.branch(sessionID, at ?? last, defined({ id }));
    sessions.get(branch.id).chosenMode = sessions.get(sessionID).chosenMode;
    await this.#enter(branch.id, { reason: at === undefined || at >= last ? "branch" : "tree" });
    return branch;
  }

  switch(sessionID: string): Promise<void> {
    return this.#enter(sessionID, { reason: "switch" });
  }

  choices(sessionID: string): Promise<SessionChoices> {
    return this.#parts.sessions.choices(sessionID);
  }

  revoke(sessionID: string, rule: Rule): Promise<boolean> {
    return this.#parts.sessions.revoke(sessionID, rule);
  }

  cancel(sessionID: string, request?: { readonly callID?: string; readonly reason?: string }): Promise<void> {
    return this.#parts.sessions.cancel(sessionID, request);
  }

  async remove(sessionID: string): Promise<void> {
    const { sessions } = this.#parts;
    await sessions.assertIdle(sessionID);
    // The agent's session has no more use.
    await this.detach(sessionID);
    await (await sessions.store()).remove(sessionID);
  }

  async start(sessionID: string, { resumed = false, ...session }: SessionStart = {}): Promise<Report> {
    const { toolbox, catalog, sessions } = this.#parts;
    await toolbox.reload();
    await this.tell(sessionID, { reason: "start", resumed }, session);
    sessions.get(sessionID).pinned = catalog.registry.identities();
    return catalog.report();
  }

  async tell(sessionID: string, event: SessionEvent, session?: Omit<SessionSnapshot, "id">): Promise<void> {
    await this.#parts.files.tell(sessionID, event, session);
    // Files that register tools on an event have done so by now.
    await this.#parts.catalog.idle();
  }

  setUIContext(sessionID: string, ui: UIContext | undefined): void {
    this.#parts.ui.attach(ui, sessionID);
  }

  questions(sessionID?: string): readonly QuestionAskedEvent[] {
    return this.#parts.questions.list(sessionID);
  }

  answer(questionID: string, answer: QuestionAnswer): Promise<void> {
    return this.#parts.questions.answer(questionID, answer);
  }

  /** Closes the sessions of agents, and stops the agents. */
  async close(): Promise<void> {
    await (await this.#loading)?.close();
    await this.#agents.stop();
  }

  /** Carries out an action of a tool file. */
  #act(sessionID: string, action: SessionAction): void {
    void this.#loading?.then((turns) => turns.act(sessionID, action));
  }

  /** Notifies tool files of a session that they may not know yet: they rebuild their state from its messages. */
  async #enter(sessionID: string, event: SessionEvent): Promise<void> {
    const { sessions } = this.#parts;
    await sessions.open(sessionID);
    const { readMessages } = await import("../sessions/message-entries.ts");
    const local = sessions.get(sessionID);
    local.conversation ??= await readMessages(await sessions.store(), sessionID);
    await this.tell(sessionID, event);
  }

  #turns(): Promise<Turns> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<Turns> {
    const { Turns } = await import("../sessions/turns.ts");
    const { toolbox, sessions, permit, ask, registeredTools } = this.#parts;
    return new Turns({
      sessions,
      slots: this.#slots,
      isStopping: () => this.#isStopping,
      defaultAgent: () => toolbox.project.settings.agents.default,
      agent: (name, signal) => this.#agents.get(name, signal),
      begin: async (sessionID, resumed) => void (await this.start(sessionID, { resumed })),
      tell: (sessionID, event) => this.tell(sessionID, event),
      notice: (sessionID, message) => this.#notices.emit({ sessionID, message }),
      tools: async (view) => createAgentTools(toolbox, view, await registeredTools(view.agent)),
      promptOf: (kind) => toolbox.project.settings.subagents[kind]?.prompt,
      permit,
      ask,
      idleMs: () => toolbox.project.settings.agents.idleMs,
    });
  }
}
