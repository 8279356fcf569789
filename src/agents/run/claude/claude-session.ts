import type { AgentEvent, AgentSession, SessionHistory } from "../../../core/coding-agent.ts";
import type { Content } from "../../../core/result.ts";
import { claudeFailure, retryRefusal } from "./claude-failure.ts";
import type { ClaudeQuery } from "./claude-query.ts";
import type { SdkMessage } from "./claude-sdk.ts";
import type { ClaudeTools } from "./claude-tools.ts";
import { ClaudeTurn } from "./claude-turn.ts";

/** How a session starts Claude Code. */
export interface ClaudeSetup {
  /** Starts a process for a new session, or for one that Claude Code has stored. */
  open(id: string): ClaudeQuery;
  readonly tools: Pick<ClaudeTools, "hasNew" | "listed" | "close">;
  readonly baseUrl: string | undefined;
  /** The stored values of the session. */
  readonly history: Pick<SessionHistory, "get" | "set">;
}

/** The stored cost of a session of Claude Code, up to its last turn. */
const COST = "cost";

/** A session of Claude. Its process runs from the first turn on. */
export class ClaudeSession implements AgentSession {
  readonly #setup: ClaudeSetup;
  #id: string;
  #query: ClaudeQuery | undefined;
  #turn: ClaudeTurn | undefined;
  #isAborted = false;
  /** The cost of the session when its process started. */
  #costBefore = 0;

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
    let isOver = false;
    try {
      for await (const message of this.#ask(prompt)) {
        this.#id = message.session_id ?? this.#id;
        // The prompt may reach Claude Code after the interruption.
        if (this.#isAborted && beginsWork(message)) void this.#query?.interrupt();
        const refusal = this.#isAborted ? undefined : retryRefusal(message, this.#setup.baseUrl);
        if (refusal) {
          yield* turn.endRetry(false, refusal.message);
          throw refusal;
        }
        yield* turn.read(message);
        turn.calls.release();
        if (message.type !== "result") continue;
        isOver = true;
        yield* await this.#costOf(message.total_cost_usd);
        const failure = claudeFailure(message, { error: turn.error, baseUrl: this.#setup.baseUrl });
        if (failure && !this.#isAborted) throw failure;
      }
    } finally {
      turn.calls.close();
      this.#turn = undefined;
      if (!isOver) await this.#endProcess();
    }
  }

  async abort(): Promise<void> {
    if (!this.#turn) return;
    this.#isAborted = true;
    await this.#query?.interrupt();
  }

  async close(): Promise<void> {
    this.#isAborted = true;
    this.#turn?.calls.close();
    await this.#endProcess();
    await this.#setup.tools.close();
  }

  /**
   * Runs a turn in the process of the last one, or in another one if that has ended, or lacks tools. A prompt is not sent after an
   * abort, and no process is started.
   */
  async *#ask(prompt: readonly Content[]): AsyncGenerator<SdkMessage> {
    const { tools } = this.#setup;
    if (tools.hasNew) await this.#endProcess();
    if (this.#query?.isOpen) {
      await tools.listed();
      if (this.#isAborted) return;
      const hasBegun = yield* untilEnd(this.#query.ask(prompt));
      if (hasBegun || this.#isAborted) return;
    }
    await this.#endProcess();
    if (this.#isAborted) return;
    this.#costBefore = this.#storedCost();
    this.#query = this.#setup.open(this.#id);
    yield* this.#query.ask(prompt);
  }

  async #endProcess(): Promise<void> {
    const query = this.#query;
    this.#query = undefined;
    const isStored = (await query?.close()) ?? true;
    // The log may be closed. Then the cost of the next turn is too low.
    if (!isStored) await this.#storeCost(this.#costBefore).catch(() => {});
  }

  /** Claude Code tells the cost of the session, with that of earlier processes as far as they have stored it when they ended. */
  async #costOf(total = 0): Promise<AgentEvent[]> {
    const before = this.#storedCost();
    if (total === before) return [];
    await this.#storeCost(total);
    return [{ type: "usage", costUsd: total < before ? total : total - before }];
  }

  #storedCost(): number {
    const { id, usd = 0 } = (this.#setup.history.get(COST) ?? {}) as { id?: string; usd?: number };
    return id === this.#id ? usd : 0;
  }

  async #storeCost(usd: number): Promise<void> {
    if (usd !== this.#storedCost()) await this.#setup.history.set(COST, { id: this.#id, usd });
  }
}

/** Returns false if the process ended before it sent anything: it does not have the prompt. */
async function* untilEnd(messages: AsyncIterable<SdkMessage>): AsyncGenerator<SdkMessage, boolean> {
  let hasBegun = false;
  try {
    for await (const message of messages) {
      hasBegun = true;
      yield message;
    }
    return true;
  } catch (error) {
    if (hasBegun) throw error;
    return false;
  }
}

function beginsWork(message: SdkMessage): boolean {
  return (
    (message.type === "system" && message.subtype === "init") ||
    (message.type === "stream_event" && message.event.type === "message_start")
  );
}
