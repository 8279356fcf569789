import type { AgentEvent } from "../core/coding-agent.ts";
import type { Update } from "../core/events.ts";
import type { Content } from "../core/result.ts";

interface OwnCall {
  readonly tool: string;
  readonly messageID: string;
  readonly startedAt: number;
}

/** The calls of an agent's own tools, as events of the session log. Each call has one start and one end. */
export class OwnCalls {
  readonly #agent: string;
  readonly #open = new Map<string, OwnCall>();

  constructor(agent: string) {
    this.#agent = agent;
  }

  has(callID: string): boolean {
    return this.#open.has(callID);
  }

  /** `tool` is the agent's name for the tool. */
  start(
    callID: string,
    call: { readonly tool: string; readonly messageID: string; readonly input: unknown },
  ): AgentEvent {
    const { messageID, input } = call;
    const tool = `${this.#agent}:${call.tool}`;
    this.#open.set(callID, { tool, messageID, startedAt: performance.now() });
    return { type: "tool.start", callID, tool, messageID, agent: this.#agent, input };
  }

  /** No event if the call is not open. */
  update(callID: string, update: Update): AgentEvent[] {
    const call = this.#open.get(callID);
    if (!call) return [];
    const { tool, messageID } = call;
    return [{ type: "tool.update", callID, tool, messageID, agent: this.#agent, ...update }];
  }

  /** No event if the call is not open. A `failed` call has the message for the model. */
  end(callID: string, result: { readonly content: readonly Content[]; readonly failed?: string }): AgentEvent[] {
    const call = this.#open.get(callID);
    if (!call) return [];
    this.#open.delete(callID);
    const { tool, messageID, startedAt } = call;
    const logged = { callID, tool, messageID, agent: this.#agent };
    const notes = { durationMs: Math.round(performance.now() - startedAt) };
    const { content, failed } = result;
    if (failed === undefined) return [{ type: "tool.complete", ...logged, result: { ok: true, content, notes } }];
    const error = { code: "failed", message: failed } as const;
    return [{ type: "tool.failed", ...logged, result: { ok: false, content, error, notes } }];
  }
}
