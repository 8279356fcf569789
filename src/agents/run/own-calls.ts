import type { Card } from "../../core/card.ts";
import type { AgentEvent } from "../../core/coding-agent.ts";
import type { NamedCall, Update } from "../../core/events.ts";
import type { Content } from "../../core/result.ts";
import type { CardOf } from "./own-card.ts";

/** The calls of an agent's own tools, as events of the session log. Each call has one start and one end. */
export class OwnCalls {
  readonly #agent: string;
  readonly #cardOf: CardOf;
  readonly #open = new Map<string, { readonly call: NamedCall; readonly startedAt: number }>();

  /** `cardOf` is not asked about calls that have a card. */
  constructor(agent: string, cardOf: CardOf = () => undefined) {
    this.#agent = agent;
    this.#cardOf = cardOf;
  }

  has(callID: string): boolean {
    return this.#open.has(callID);
  }

  /** `tool` is the agent's name for the tool, `parentID` the call of the sub-agent that makes this call. */
  start(
    callID: string,
    {
      tool,
      messageID,
      input,
      parentID,
      card = this.#cardOf(tool),
    }: {
      readonly tool: string;
      readonly messageID: string;
      readonly input: unknown;
      readonly parentID?: string;
      readonly card?: Card | undefined;
    },
  ): AgentEvent {
    const parent = parentID === undefined ? {} : { parentID };
    const call = { callID, tool: `${this.#agent}:${tool}`, messageID, agent: this.#agent, ...parent };
    this.#open.set(callID, { call, startedAt: performance.now() });
    return { type: "tool.start", ...call, input, ...(card === undefined ? {} : { card }) };
  }

  /** No event if the call is not open. */
  update(callID: string, update: Update): AgentEvent[] {
    const open = this.#open.get(callID);
    return open ? [{ type: "tool.update", ...open.call, ...update }] : [];
  }

  /** No event if the call is not open. A `failed` call has the message for the model. `data` is what its card needs. */
  end(
    callID: string,
    result: { readonly content: readonly Content[]; readonly data?: unknown; readonly failed?: string },
  ): AgentEvent[] {
    const open = this.#open.get(callID);
    if (!open) return [];
    this.#open.delete(callID);
    const { call, startedAt } = open;
    const notes = { durationMs: Math.round(performance.now() - startedAt) };
    const { content, data, failed } = result;
    if (failed === undefined) {
      const shown = data === undefined ? {} : { data };
      return [{ type: "tool.complete", ...call, result: { ok: true, content, ...shown, notes } }];
    }
    const error = { code: "failed", message: failed } as const;
    return [{ type: "tool.failed", ...call, result: { ok: false, content, error, notes } }];
  }
}
