import type { AgentEvent } from "../../../core/coding-agent.ts";
import { messageOf } from "../../../core/error.ts";
import type { NamedModel } from "./chat-model.ts";
import { firstKept, messageTokens, type Summary, summaryRequest, withSummary } from "./conversation-summary.ts";
import type { LangChain, Message, StreamHandler } from "./langchain-sdk.ts";
import { type ModelAnswer, usageOf } from "./model-answer.ts";
import { isContextOverflow } from "./model-error.ts";

/** What a context window works with. */
export interface ContextWindowParts {
  readonly sdk: LangChain;
  readonly chat: NamedModel;
  /** The number of tokens that the model accepts, if it is known. */
  readonly contextTokens: number | undefined;
  readonly signal: AbortSignal;
  readonly emit: (event: AgentEvent) => void;
  /** The summary of an earlier turn. */
  readonly summary: Summary | undefined;
  readonly keep: (summary: Summary) => Promise<void>;
  /** Repeats a request that fails for a reason that may pass. */
  readonly retried: (request: () => Promise<Message>) => Promise<Message>;
  /** The tokens of the definitions of tools, estimated. */
  readonly toolTokens: () => number;
}

/** A conversation is summarised when it fills this part of the context. */
const FULL = 0.85;
/** How often one request is made shorter. */
const MAX_SUMMARIES = 2;
/** How often the text to summarise is halved, if it is too long itself. */
const MAX_HALVINGS = 3;

/** With a handler, the model streams: some refuse long requests that are not streamed. */
const STREAMED: StreamHandler = {
  name: "toolwright-summary",
  awaitHandlers: true,
  lc_prefer_streaming: true,
  handleLLMNewToken: () => {},
};

/**
 * Keeps a conversation within the context of the model: it summarises the older part of one that is too long. Not LangChain's
 * `summarizationMiddleware` (1.5): it sends the error of a failed summary as the summary, does not react to a provider that says that
 * the context is full, and does not keep the user's last message.
 */
export class ContextWindow {
  readonly #parts: ContextWindowParts;
  #summary: Summary | undefined;
  /** The tokens of the last request that the estimate has missed: definitions of tools, other scripts than Latin. */
  #missedTokens = 0;

  constructor(parts: ContextWindowParts) {
    this.#parts = parts;
    this.#summary = parts.summary;
  }

  /** Makes a request with these messages, or with fewer if they fill the context or the provider says that they are too many. */
  async fit(
    messages: readonly Message[],
    request: (messages: readonly Message[]) => Promise<ModelAnswer>,
  ): Promise<ModelAnswer> {
    const { sdk, contextTokens } = this.#parts;
    let shown = withSummary(messages, this.#summary, sdk);
    if (contextTokens !== undefined && this.#sizeOf(shown) > contextTokens * FULL) {
      await this.#summarise(shown, "threshold");
      shown = withSummary(messages, this.#summary, sdk);
    }
    for (let summaries = 0; ; summaries++) {
      try {
        return await request(shown);
      } catch (error) {
        if (!isContextOverflow(error) || summaries >= MAX_SUMMARIES) throw error;
        if (!(await this.#summarise(shown, "overflow"))) throw error;
        shown = withSummary(messages, this.#summary, sdk);
      }
    }
  }

  /** Learns from the response how many tokens the messages had. */
  counted(messages: readonly Message[], { usage_metadata: usage }: Message): void {
    this.#missedTokens = (usage?.input_tokens ?? 0) - messageTokens(messages);
  }

  #sizeOf(messages: readonly Message[]): number {
    return messageTokens(messages) + Math.max(this.#missedTokens, this.#parts.toolTokens());
  }

  /** False if that is not possible. */
  async #summarise(messages: readonly Message[], trigger: "threshold" | "overflow"): Promise<boolean> {
    const { emit, signal, contextTokens, keep } = this.#parts;
    const size = messageTokens(messages);
    const limit = trigger === "overflow" ? Math.min(contextTokens ?? size, size) : (contextTokens ?? size);
    const before = firstKept(messages, limit);
    if (before === undefined) return false;
    emit({ type: "session.event", event: { reason: "auto_compaction_start", trigger } });
    const end = (more: { readonly result?: unknown; readonly errorMessage?: string }): void =>
      emit({
        type: "session.event",
        event: { reason: "auto_compaction_end", aborted: signal.aborted, willRetry: trigger === "overflow", ...more },
      });
    try {
      const at = messages.findIndex(({ id }) => id === before);
      const summary = { text: await this.#ask(messages.slice(0, at), limit), before };
      await keep(summary);
      this.#summary = summary;
      end({ result: { summary: summary.text } });
      emit({
        type: "notice",
        message: "The conversation has filled the context of the model. Its older part was summarised.",
      });
      return true;
    } catch (error) {
      end({ errorMessage: messageOf(error) });
      if (signal.aborted || trigger === "overflow") throw error;
      return false;
    }
  }

  async #ask(older: readonly Message[], limit: number): Promise<string> {
    const { sdk, chat, signal, emit, retried } = this.#parts;
    for (let halvings = 0; ; halvings++) {
      try {
        const asked = [summaryRequest(older, sdk, limit / 2 ** halvings)];
        const said = await retried(() => chat.model.invoke(asked, { signal, callbacks: [STREAMED], maxRetries: 0 }));
        const usage = usageOf(said, chat.name);
        if (usage) emit({ type: "usage", ...usage });
        if (said.text.trim() === "") throw new Error("The summary of the conversation is empty");
        return said.text;
      } catch (error) {
        if (!isContextOverflow(error) || halvings >= MAX_HALVINGS) throw error;
      }
    }
  }
}
