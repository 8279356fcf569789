import { setTimeout as delay } from "node:timers/promises";
import type { AgentEvent, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { type Content, outputOf, type ToolResult, textOf } from "../../../core/result.ts";
import type { AgentAdapter } from "../adapted-agent.ts";
import { type DemoStep, parseScript } from "./demo-script.ts";

/** How many pieces a text is streamed in, at most. */
const MAX_DELTAS = 100;

/** The tool that the demo agent calls for a prompt that is not a script. It asks no question. */
const EXAMPLE = "workspace-info";

/** An agent that needs no model, key or network: it follows the commands in the prompt. */
export function createDemoAdapter(): AgentAdapter {
  return {
    name: "demo",
    builtins: true,
    keepsHistory: false,
    needs: [],
    start: async () => {},
    stop: async () => {},
    openSession: async (options, resumed) => new DemoSession(resumed ?? options.sessionID, options),
  };
}

class DemoSession implements AgentSession {
  readonly id: string;
  readonly #options: AgentSessionOptions;
  #turn: AbortController | undefined;

  constructor(id: string, options: AgentSessionOptions) {
    this.id = id;
    this.#options = options;
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<AgentEvent> {
    const turn = new AbortController();
    this.#turn = turn;
    try {
      yield* this.#follow(textOf(prompt), turn.signal);
    } finally {
      turn.abort();
      this.#turn = undefined;
    }
  }

  async abort(): Promise<void> {
    this.#turn?.abort();
  }

  async close(): Promise<void> {
    this.#turn?.abort();
  }

  async *#follow(prompt: string, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    const script = parseScript(prompt);
    if (script) return yield* this.#run(script, signal);
    const message = new Message();
    yield* message.say(`You wrote: ${prompt}`);
    yield message.complete();
    const result = await this.#call(EXAMPLE, {}, message.id, signal);
    if (!signal.aborted) yield* this.#run([{ kind: "say", text: about(result) }], signal);
  }

  /** The texts before a call are one message, which contains the call. */
  async *#run(steps: readonly DemoStep[], signal: AbortSignal): AsyncGenerator<AgentEvent> {
    let message: Message | undefined;
    for (const step of steps) {
      if (signal.aborted) break;
      if (step.kind === "sleep") {
        await delay(step.ms, undefined, { signal }).catch(() => {});
        continue;
      }
      message ??= new Message();
      if (step.kind === "say") yield* message.say(step.text);
      else {
        yield message.complete();
        await this.#call(step.name, step.input, message.id, signal);
        message = undefined;
      }
    }
    if (message) yield message.complete();
  }

  #call(name: string, input: unknown, messageID: string, signal: AbortSignal): Promise<ToolResult> {
    return this.#options.tools.call({ name, input, callID: crypto.randomUUID(), messageID, signal }).result;
  }
}

/** A message of the agent: each text is a paragraph. */
class Message {
  readonly id: string = crypto.randomUUID();
  readonly #texts: string[] = [];

  *say(text: string): Generator<AgentEvent> {
    const added = this.#texts.length === 0 ? text : `\n${text}`;
    this.#texts.push(text);
    for (const piece of pieces(added)) yield { type: "message.delta", messageID: this.id, text: piece };
  }

  complete(): AgentEvent {
    const text = this.#texts.join("\n");
    const content: Content[] = text === "" ? [] : [{ type: "text", text }];
    return { type: "message.complete", messageID: this.id, content };
  }
}

/** Words, or several at once if the text is long. */
function* pieces(text: string): Generator<string> {
  const least = Math.ceil(text.length / MAX_DELTAS);
  const wordEnd = /\s(?=\S)/g;
  let start = 0;
  wordEnd.lastIndex = least - 1;
  for (let end = wordEnd.exec(text); end; end = wordEnd.exec(text)) {
    yield text.slice(start, end.index + 1);
    start = end.index + 1;
    wordEnd.lastIndex = start + least - 1;
  }
  if (start < text.length) yield text.slice(start);
}

function about(result: ToolResult): string {
  if (!result.ok) return `The tool ${EXAMPLE} failed: ${result.error.message}`;
  const { projectPath, branch } = (result.data ?? {}) as { projectPath?: unknown; branch?: unknown };
  if (typeof projectPath !== "string") return `The tool ${EXAMPLE} answered: ${outputOf(result)}`;
  const where = typeof branch === "string" ? `, on the git branch ${branch}` : "";
  return `The tool ${EXAMPLE} answered: this project is ${projectPath}${where}.`;
}
