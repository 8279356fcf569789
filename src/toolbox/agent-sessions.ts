import { notReady } from "../core/agent-error.ts";
import type { AgentContext, AgentSource, PermitAnswer } from "../core/coding-agent.ts";
import { notify } from "../core/notify.ts";
import type { SessionAction, SessionEvent } from "../core/session.ts";
import { unlessAborted } from "../core/until-aborted.ts";
import type { ForeignCall } from "../pipeline/permit-foreign.ts";
import type { TaskOptions } from "../sessions/agent-attachments.ts";
import { RunningTurn } from "../sessions/running-turn.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Prompt, Turn } from "../sessions/turn.ts";
import { type QueuePlace, TurnSlots } from "../sessions/turn-slots.ts";
import type { Turns } from "../sessions/turns.ts";
import { agentContext } from "./agent-context.ts";
import { AgentPool } from "./agent-pool.ts";
import { createAgentTools } from "./agent-tools.ts";
import type { Toolbox, ToolboxEvents } from "./toolbox.ts";

/** The parts of a toolbox that the sessions of agents need. */
export interface AgentSessionsParts {
  readonly toolbox: Toolbox;
  readonly sessions: Sessions;
  readonly source: AgentSource | undefined;
  readonly env: AgentContext["env"];
  readonly permit: (call: ForeignCall) => Promise<PermitAnswer>;
  readonly begin: (sessionID: string, resumed: boolean) => Promise<void>;
  readonly tell: (sessionID: string, event: SessionEvent) => Promise<void>;
}

/** How long an agent may take to start, if no turn waits for it. */
const START_MS = 60_000;

type NoticeListener = (notice: ToolboxEvents["notice"]) => void;

/** The turns of agents in the sessions of a toolbox. The code that runs them is loaded with the first turn. */
export class AgentSessions {
  readonly #parts: AgentSessionsParts;
  readonly #agents: AgentPool;
  readonly #noticeListeners = new Set<NoticeListener>();
  readonly #slots: TurnSlots;
  #loading: Promise<Turns> | undefined;
  #isStopping = false;

  constructor(parts: AgentSessionsParts) {
    this.#parts = parts;
    this.#agents = new AgentPool(parts.source, () => agentContext(parts.toolbox.project, parts.env));
    this.#slots = new TurnSlots(() => parts.toolbox.project.settings.agents.maxTurns);
  }

  send(sessionID: string, prompt: Prompt, options: TaskOptions = {}): Turn {
    return new RunningTurn(sessionID, async (turn) => (await this.#turns()).run(turn, prompt, options), options.signal);
  }

  /** Carries out an action of a tool file. */
  act(sessionID: string, action: SessionAction): void {
    void this.#loading?.then((turns) => turns.act(sessionID, action));
  }

  async detach(sessionID: string): Promise<void> {
    await (await this.#loading)?.detach(sessionID);
  }

  /** The sessions whose turns wait, the next one first. */
  get queue(): readonly string[] {
    return this.#slots.waiting;
  }

  onQueue(listener: (place: QueuePlace) => void): () => void {
    return this.#slots.onChange(listener);
  }

  /** The name of the agent that would run a turn. Rejects with an `AgentError` if it cannot be started, or not in time. */
  async startAgent(name: string | undefined = this.#parts.toolbox.project.settings.agents.default): Promise<string> {
    const limit = new AbortController();
    const { signal } = limit;
    const timer = setTimeout(() => limit.abort(notReady(name ?? "The agent", START_MS)), START_MS);
    try {
      const agent = await unlessAborted(signal, this.#agents.get(name, signal));
      await unlessAborted(signal, agent.start(signal));
      return agent.name;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Refuses new turns, waits for the running ones, and interrupts those that have not ended after `ms`. */
  async stop(ms: number): Promise<void> {
    this.#isStopping = true;
    await (await this.#loading)?.stop(ms);
  }

  onNotice(listener: NoticeListener): () => void {
    this.#noticeListeners.add(listener);
    return () => void this.#noticeListeners.delete(listener);
  }

  async close(): Promise<void> {
    await (await this.#loading)?.close();
    await this.#agents.stop();
  }

  #turns(): Promise<Turns> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<Turns> {
    const { Turns } = await import("../sessions/turns.ts");
    const { toolbox, sessions, permit, begin, tell } = this.#parts;
    return new Turns({
      sessions,
      slots: this.#slots,
      isStopping: () => this.#isStopping,
      defaultAgent: () => toolbox.project.settings.agents.default,
      agent: (name, signal) => this.#agents.get(name, signal),
      begin,
      tell,
      notice: (sessionID, message) => {
        for (const listener of [...this.#noticeListeners]) notify(listener, { sessionID, message });
      },
      tools: (view) => createAgentTools(toolbox, view),
      promptOf: (kind) => toolbox.project.settings.subagents[kind]?.prompt,
      permit: (view, { tool, ...request }, signal) => {
        const { sessionID, directory, name: agent } = view;
        const messageID = view.messageID();
        const name = `${view.agent.name}:${tool}`;
        return permit({ ...request, name, sessionID, messageID, agent, directory, signal });
      },
      idleMs: () => toolbox.project.settings.agents.idleMs,
    });
  }
}
