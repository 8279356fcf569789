import { AdaptedAgent } from "../../src/agents/run/adapted-agent.ts";
import { AgentError } from "../../src/core/agent-error.ts";
import type { AgentEvent, AgentSessionOptions, AgentSource } from "../../src/core/coding-agent.ts";
import { type Content, textOf } from "../../src/core/result.ts";

/** One turn of an agent that is written in code. */
export interface CodeTurn {
  /** The text of the prompt. */
  readonly prompt: string;
  readonly options: AgentSessionOptions;
  /** Fires when the turn is aborted. */
  readonly signal: AbortSignal;
}

export interface CodeAgent {
  readonly turn: (turn: CodeTurn) => AsyncIterable<AgentEvent>;
  readonly keepsHistory?: boolean;
  readonly httpBuiltins?: readonly string[];
  /** Whether it forgets its sessions. */
  readonly forgets?: boolean;
  readonly create?: () => Promise<void>;
  readonly start?: () => Promise<void>;
  readonly open?: (options: AgentSessionOptions, resumed: string | undefined) => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** Agents that are written in code, with a log of the sessions that they opened and closed. */
export function codeAgents(agents: Readonly<Record<string, CodeAgent>>): AgentSource & { readonly log: string[] } {
  const log: string[] = [];
  return {
    log,
    names: () => Object.keys(agents),
    create: async (name) => {
      const agent = agents[name];
      await agent?.create?.();
      if (!agent) throw new AgentError("unknown_agent", `There is no agent "${name}".`);
      let count = 0;
      return new AdaptedAgent({
        name,
        builtins: false,
        ...(agent.httpBuiltins ? { httpBuiltins: agent.httpBuiltins } : {}),
        keepsHistory: agent.keepsHistory ?? true,
        needs: [],
        start: async () => {
          await agent.start?.();
          log.push(`start ${name}`);
        },
        stop: async () => void log.push(`stop ${name}`),
        openSession: async (options, resumed) => {
          if (resumed !== undefined && agent.forgets) throw new AgentError("session_not_found", "It is gone.");
          await agent.open?.(options, resumed);
          count += 1;
          const id = resumed ?? `${name}-${count}`;
          log.push(resumed === undefined ? `create ${id}` : `resume ${id}`);
          let controller = new AbortController();
          return {
            id,
            send: (prompt: readonly Content[]) => {
              controller = new AbortController();
              return agent.turn({ prompt: textOf(prompt), options, signal: controller.signal });
            },
            abort: async () => controller.abort(),
            close: async () => {
              await agent.close?.();
              log.push(`close ${id}`);
            },
          };
        },
      });
    },
  };
}

/** A message of the model with this text. */
export function* saying(text: string, messageID: string = crypto.randomUUID()): Generator<AgentEvent> {
  for (const word of text.split(/(?<= )/)) yield { type: "message.delta", messageID, text: word };
  yield { type: "message.complete", messageID, content: [{ type: "text", text }] };
}
