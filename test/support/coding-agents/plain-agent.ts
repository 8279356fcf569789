import { AdaptedAgent, type AgentAdapter } from "../../../src/agents/run/adapted-agent.ts";
import { EventQueue } from "../../../src/agents/run/event-queue.ts";
import { AgentError } from "../../../src/core/agent-error.ts";
import type { AgentSession, AgentSessionOptions, AgentSource } from "../../../src/core/coding-agent.ts";
import { messageOf } from "../../../src/core/error.ts";
import { type Content, outputOf, textOf } from "../../../src/core/result.ts";

/** The least that an agent can be: a loop over the chat completions API. With it, the suite tests our own code alone. */
export const plainAgents: AgentSource = {
  names: () => ["plain"],
  create: async () => new AdaptedAgent(plain),
};

const plain: AgentAdapter = {
  name: "plain",
  builtins: false,
  keepsHistory: false,
  needs: [],
  start: async () => {},
  stop: async () => {},
  openSession: async (options) => new PlainSession(options),
};

interface Message {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

class PlainSession implements AgentSession {
  readonly id: string;
  readonly #options: AgentSessionOptions;
  #messages: Message[] | undefined;
  #abort = new AbortController();
  #events = new EventQueue();

  constructor(options: AgentSessionOptions) {
    this.id = options.sessionID;
    this.#options = options;
  }

  async *send(prompt: readonly Content[]): AsyncGenerator<never> {
    this.#abort = new AbortController();
    const events = new EventQueue();
    this.#events = events;
    this.#run(prompt, events).then(
      () => events.end(),
      (error: unknown) => events.end(error),
    );
    yield* events as AsyncIterable<never>;
  }

  /** Ends the turn at once, without waiting for calls: real agents do so, too. */
  async abort(): Promise<void> {
    this.#events.end();
    this.#abort.abort();
  }

  async close(): Promise<void> {
    this.#abort.abort();
  }

  async #run(prompt: readonly Content[], events: EventQueue): Promise<void> {
    this.#messages ??= await this.#earlier();
    this.#messages.push({ role: "user", content: prompt.map(toPart) });
    for (;;) {
      const messageID = crypto.randomUUID();
      const said = await this.#ask();
      this.#messages.push(said);
      const text = typeof said.content === "string" ? said.content : "";
      for (const piece of text.split(/(?<= )/))
        if (piece) events.push({ type: "message.delta", messageID, text: piece });
      const content = text === "" ? [] : [{ type: "text", text } as const];
      events.push(
        { type: "message.complete", messageID, content },
        { type: "usage", inputTokens: 10, outputTokens: 5 },
      );
      if (!said.tool_calls) return;
      const results = await Promise.all(said.tool_calls.map((call) => this.#call(call, messageID)));
      this.#messages.push(...results.flat());
    }
  }

  async #ask(): Promise<Message> {
    const { baseUrl, model = "none", tools } = this.#options;
    const offered = tools.list().map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    }));
    const body = JSON.stringify({ model, messages: this.#messages, tools: offered });
    const response = await fetch(`${baseUrl}/chat/completions`, { method: "POST", body, signal: this.#abort.signal });
    const said = await response.text();
    if (response.status === 401) throw new AgentError("unauthorized", `The key is wrong: ${said}`);
    try {
      if (!response.ok) throw new Error(said);
      return JSON.parse(said).choices[0].message;
    } catch (error) {
      throw new AgentError("model_failed", `The model has failed: ${messageOf(error)}`);
    }
  }

  async #call(call: NonNullable<Message["tool_calls"]>[number], messageID: string): Promise<Message[]> {
    const { name, arguments: input } = call.function;
    const run = this.#options.tools.call({ name, input: JSON.parse(input), callID: call.id, messageID });
    const result = await run.result;
    const images = result.content.filter((part) => part.type === "image");
    const files = result.content.flatMap((part) => (part.type === "file" ? [`[file ${part.name}]`] : []));
    const told: Message = { role: "tool", tool_call_id: call.id, content: [outputOf(result), ...files].join("\n") };
    return images.length === 0 ? [told] : [told, { role: "user", content: images.map(toPart) }];
  }

  /** The texts of the conversation so far. */
  async #earlier(): Promise<Message[]> {
    const messages: Message[] = [];
    for await (const event of this.#options.history.events(["message.user", "message.complete"])) {
      if (event.type !== "message.user" && event.type !== "message.complete") continue;
      const role = event.type === "message.user" ? "user" : "assistant";
      messages.push({ role, content: textOf(event.content) });
    }
    // The last one is the prompt that is being sent.
    return messages.slice(0, -1);
  }
}

function toPart(part: Content): object {
  if (part.type !== "image") return { type: "text", text: textOf([part]) };
  return { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}
