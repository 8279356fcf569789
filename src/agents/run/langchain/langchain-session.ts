import type { AgentEvent, AgentSession, AgentSessionOptions, AgentTool } from "../../../core/coding-agent.ts";
import type { Content } from "../../../core/result.ts";
import { storedAttachment } from "../../../host/output/stored-attachment.ts";
import { EventQueue } from "../event-queue.ts";
import { CONVERSATION_EVENTS, readConversation } from "./conversation.ts";
import type { Summary } from "./conversation-summary.ts";
import { type Kept, LangchainTurn, type TurnParts } from "./langchain-turn.ts";
import { toTurnFailure } from "./model-error.ts";
import { type MessageExtras, toMessages, userMessage } from "./model-messages.ts";

/** What the sessions of an agent have in common. */
interface SessionParts extends Pick<TurnParts, "sdk" | "chat" | "retries" | "contextTokens" | "maxRequests"> {
  /** The folder for files that tools return. */
  readonly outputs: string;
  /** The text before the conversation, instead of ours. */
  readonly systemPrompt: string | undefined;
}

/** What is stored for a message beside the log. Other models cannot use it. */
interface StoredExtras extends MessageExtras {
  readonly model: string;
}

const SUMMARY = "langchain summary";

/**
 * A session of LangChain. It has no state: each turn reads the conversation from the log, so that a turn after a crash, in
 * another process or in a branch is the same as any other.
 */
export class LangchainSession implements AgentSession {
  readonly #parts: SessionParts;
  readonly #options: AgentSessionOptions;
  #running: AbortController | undefined;

  constructor(parts: SessionParts, options: AgentSessionOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  get id(): string {
    return this.#options.sessionID;
  }

  send(prompt: readonly Content[]): AsyncIterable<AgentEvent> {
    const events = new EventQueue();
    const controller = new AbortController();
    this.#running = controller;
    const { signal } = controller;
    void this.#run(prompt, (event) => events.push(event), signal).then(
      () => events.end(),
      (error: unknown) => events.end(signal.aborted ? undefined : toTurnFailure(error, this.#parts.chat)),
    );
    return events;
  }

  async abort(): Promise<void> {
    this.#running?.abort();
  }

  async close(): Promise<void> {
    this.#running?.abort();
  }

  async #run(prompt: readonly Content[], emit: (event: AgentEvent) => void, signal: AbortSignal): Promise<void> {
    const { sdk, chat, retries, contextTokens, maxRequests, outputs } = this.#parts;
    const { tools, history, directory } = this.#options;
    const summary = history.get(SUMMARY) as Summary | undefined;
    // What the summary covers is not sent.
    const { messages: earlier, promptID } = await readConversation(
      history.events(CONVERSATION_EVENTS, summary?.before),
      (call) => (history.get(filesKey(call)) ?? []) as readonly string[],
    );
    const turn = new LangchainTurn({
      ...{ sdk, chat, retries, contextTokens, maxRequests, emit, signal },
      options: { tools },
      summary,
      storeFile: (part, callID) => storedAttachment(part, outputs, { sessionID: this.id, callID }),
      keep: (kept) => this.#keep(kept),
    });
    const extras = (messageID: string): MessageExtras | undefined => {
      const { model, ...stored } = (history.get(extrasKey(messageID)) ?? {}) as Partial<StoredExtras>;
      return model === chat.name ? (stored as MessageExtras) : undefined;
    };
    const messages = [
      ...toMessages(earlier, { sdk, extras, nameOf: (tool) => turn.tools.nameOf(tool) }),
      userMessage(sdk, promptID, prompt),
    ];
    const ours = this.#parts.systemPrompt ?? systemPrompt(directory, tools.list());
    const more = this.#options.systemPrompt ?? "";
    const agent = sdk.createAgent({
      model: chat.model,
      tools: [],
      // A string would be sent as a list of parts, which some servers do not accept.
      systemPrompt: new sdk.SystemMessage({ content: (more === "" ? ours : `${ours}\n\n${more}`).toWellFormed() }),
      middleware: [sdk.createMiddleware(turn)],
    });
    const stopListening = tools.onChange(() => turn.dropTools());
    try {
      // The turn counts its requests. LangChain counts the calls of each request as one more step.
      await agent.invoke({ messages }, { signal, recursionLimit: maxRequests * 2 + 2, callbacks: [turn] });
    } finally {
      stopListening();
      await turn.settled();
    }
  }

  #keep(kept: Kept): Promise<void> {
    const { history } = this.#options;
    if ("summary" in kept) return history.set(SUMMARY, kept.summary);
    if ("lines" in kept) return history.set(filesKey(kept), kept.lines);
    const stored: StoredExtras = { ...kept.extras, model: this.#parts.chat.name };
    return history.set(extrasKey(kept.messageID), stored);
  }
}

function extrasKey(messageID: string): string {
  return `langchain message ${messageID}`;
}

function filesKey({ messageID, callID }: { readonly messageID: string; readonly callID: string }): string {
  return `langchain files ${messageID} ${callID}`;
}

/** The text before the conversation, unless a program has set another one. */
function systemPrompt(directory: string, tools: readonly AgentTool[]): string {
  const names = tools.map(({ name }) => name);
  const available = names.length === 0 ? "You have no tools." : `Your tools: ${names.join(", ")}.`;
  return `You are a coding agent. You help the user with the project in ${directory}. Relative paths are relative to this directory.

${available}

- Use the tools to look before you answer: read the files that matter, and do not guess their content.
- Calls that do not depend on each other can be made at the same time.
- If a call fails, read the message, correct the arguments or try another way. Do not repeat the same call.
- If the user refuses a call, do not try to reach the same effect in another way. Ask what to do instead.
- Change only what the task needs. After a change, check that it works if there is a way to do so.
- Answer briefly. Say what you did, and what you could not do.`;
}
