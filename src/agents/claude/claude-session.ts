import type { AgentEvent, SessionHistory } from "../../core/coding-agent.ts";
import type { Content } from "../../core/result.ts";
import type { AdapterSession } from "../adapted-agent.ts";
import { failureOf } from "./claude-failure.ts";
import type { ClaudeQuery } from "./claude-query.ts";
import type { SdkMessage } from "./claude-sdk.ts";
import { ClaudeTurn } from "./claude-turn.ts";

/** How a session starts Claude Code. */
export interface ClaudeSetup {
  /** Starts a process for a new session, or for one that Claude Code has stored. */
  open(id: string): ClaudeQuery;
  /** Resolves when Claude Code has the current list of tools. */
  toolsListed(): Promise<void>;
  /** Must not reject. */
  close(): Promise<void>;
  readonly baseUrl: string | undefined;
  /** The stored values of the session. */
  readonly history: Pick<SessionHistory, "get" | "set">;
}

/** The stored cost of a session of Claude Code, up to its last turn. */
const COST = "cost";

/** A session of Claude. Its process runs from the first turn on. */
export class ClaudeSession implements AdapterSession {
  readonly #setup: ClaudeSetup;
  #id: string;
  #query: ClaudeQuery | undefined;
  #turn: ClaudeTurn | undefined;
  #isAborted = false;

  constructor(setup: ClaudeSetup, id: string) {
    this.#setup = setup;
    this.#id = id;
  }

  get id(): string {
    return this.#id;
  }

  /** The message of a call of ours, when the call may run. */
  async messageOf(callID: string): Promise<string | undefined> {
    return this.#turn?.calls.messageOf(callID);
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<AgentEvent> {
    const turn = new ClaudeTurn();
    this.#turn = turn;
    this.#isAborted = false;
    let query: ClaudeQuery | undefined;
    let isOver = false;
    try {
      query = await this.#running();
      for await (const message of query.ask(prompt)) {
        this.#id = message.session_id ?? this.#id;
        // The prompt may reach Claude Code after the interruption.
        if (this.#isAborted && beginsWork(message)) void query.interrupt();
        yield* turn.read(message);
        turn.calls.release();
        if (message.type !== "result") continue;
        isOver = true;
        yield* await this.#costOf(message.total_cost_usd);
        const failure = failureOf(message, { error: turn.error, baseUrl: this.#setup.baseUrl });
        if (failure && !this.#isAborted) throw failure;
      }
    } finally {
      turn.calls.close();
      this.#turn = undefined;
      if (!isOver) await query?.close();
    }
  }

  async abort(): Promise<void> {
    if (!this.#turn) return;
    this.#isAborted = true;
    await this.#query?.interrupt();
  }

  async close(): Promise<void> {
    this.#turn?.calls.close();
    await this.#endProcess();
    await this.#setup.close();
  }

  async #running(): Promise<ClaudeQuery> {
    if (this.#query?.isOpen) {
      await this.#setup.toolsListed();
      return this.#query;
    }
    this.#query = this.#setup.open(this.#id);
    return this.#query;
  }

  async #endProcess(): Promise<void> {
    const query = this.#query;
    this.#query = undefined;
    await query?.close();
  }

  /** Claude Code tells the cost of the session, which includes that of earlier processes. */
  async #costOf(total = 0): Promise<AgentEvent[]> {
    const { history } = this.#setup;
    const { id, usd } = (history.get(COST) ?? {}) as { id?: string; usd?: number };
    const before = id === this.#id ? (usd ?? 0) : 0;
    if (total === before) return [];
    await history.set(COST, { id: this.#id, usd: total });
    return [{ type: "usage", costUsd: total < before ? total : total - before }];
  }
}

function beginsWork(message: SdkMessage): boolean {
  return (
    (message.type === "system" && message.subtype === "init") ||
    (message.type === "stream_event" && message.event.type === "message_start")
  );
}
