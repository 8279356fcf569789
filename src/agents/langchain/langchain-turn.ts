import { AgentError } from "../../core/agent-error.ts";
import type { AgentEvent, AgentSessionOptions } from "../../core/coding-agent.ts";
import { messageOf } from "../../core/error.ts";
import type { Usage } from "../../core/session-log.ts";
import { type Answer, readAnswer, streamedText } from "./answer.ts";
import type { NamedModel } from "./chat-model.ts";
import { estimateTokens, firstKept, type Summary, summaryRequest, withSummary } from "./conversation-summary.ts";
import type { LangChain, Message, Middleware, ModelRequest, ModelToolCall, StreamHandler } from "./langchain-sdk.ts";
import { describeFailure, isContextOverflow } from "./model-error.ts";
import { type ImagePlace, type MessageExtras, toolMessage, toRequest } from "./model-messages.ts";
import { type Attachment, type ModelResult, toModelResult } from "./model-result.ts";
import { type ModelTools, toModelTools } from "./model-tools.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

/** What a turn works with. */
export interface TurnParts {
  readonly sdk: LangChain;
  readonly chat: NamedModel;
  readonly options: Pick<AgentSessionOptions, "tools">;
  readonly retries: RetryPolicy;
  /** The number of tokens that the model accepts, if it is known. */
  readonly contextTokens: number | undefined;
  /** The maximum number of model requests. */
  readonly maxRequests: number;
  readonly emit: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
  readonly summary: Summary | undefined;
  /** Stores an attachment of a call, and returns a line that says where it is. */
  readonly storeFile: (part: Attachment, callID: string) => string;
  /** Stores what the log lacks. */
  readonly keep: (kept: Kept) => Promise<void>;
}

/** A part of the conversation that the log lacks. */
export type Kept =
  | { readonly summary: Summary }
  | { readonly messageID: string; readonly extras: MessageExtras }
  /** The lines for the attachments of a call. */
  | { readonly messageID: string; readonly callID: string; readonly lines: readonly string[] };

/** A conversation is summarised when it fills this part of the context. */
const FULL = 0.85;
/** How often one request is made shorter. */
const MAX_SUMMARIES = 2;

type Handler = (request: ModelRequest) => Promise<Message>;

/** One turn: the hooks of LangChain's agent that make its model requests and run its tool calls. */
export class LangchainTurn implements Middleware, StreamHandler {
  readonly name = "toolwright";
  readonly awaitHandlers = true as const;
  readonly lc_prefer_streaming = true as const;
  readonly #parts: TurnParts;
  readonly #runs = new Set<Promise<unknown>>();
  #tools: ModelTools | undefined;
  #answer: Answer | undefined;
  #streamed: StreamedMessage | undefined;
  #summary: Summary | undefined;
  /** The tokens of the last request that the estimate has missed: definitions of tools, other scripts than Latin. */
  #missedTokens = 0;
  #requests = 0;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#summary = parts.summary;
  }

  /** The tools as the model is shown them now. */
  get tools(): ModelTools {
    const { options, sdk, chat } = this.#parts;
    this.#tools ??= toModelTools(options.tools.list(), sdk, chat.provider);
    return this.#tools;
  }

  /** Called when the tools of the session have changed. */
  dropTools(): void {
    this.#tools = undefined;
  }

  /** Resolves when no call runs. */
  async settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  handleLLMNewToken: StreamHandler["handleLLMNewToken"] = (_token, _index, _runID, _parentID, _tags, fields) => {
    const message = fields?.chunk?.message;
    if (message) this.#streamed?.add(message);
  };

  wrapModelCall = async (request: ModelRequest, handler: Handler): Promise<Message> => {
    const { emit, signal, chat, keep, maxRequests } = this.#parts;
    this.#requests += 1;
    if (this.#requests > maxRequests) throw tooManyRequests(maxRequests);
    const answer = await this.#fitting(request.messages, (messages) =>
      this.#request({ ...request, messages }, handler),
    );
    this.#answer = answer;
    const { message, extras } = answer;
    const messageID = message.id ?? "";
    if (extras) await keep({ messageID, extras });
    const usage = usageOf(message, chat.name);
    if (usage) emit({ type: "usage", messageID, ...usage });
    signal.throwIfAborted();
    return message;
  };

  wrapToolCall = async ({ toolCall }: { readonly toolCall: ModelToolCall }): Promise<Message> => {
    const { sdk, options, signal, storeFile, keep } = this.#parts;
    const { id: callID = "", name } = toolCall;
    const messageID = this.#answer?.message.id ?? "";
    const { input, problem } = this.#answer?.inputs.get(callID) ?? { input: toolCall.args };
    const run = options.tools.call({
      name: this.tools.toolOf(name),
      input,
      callID,
      messageID,
      signal,
    });
    this.#runs.add(run.result);
    const lines: string[] = [];
    const result = toModelResult(await run.result, (part) => lines[lines.push(storeFile(part, callID)) - 1] ?? "");
    this.#runs.delete(run.result);
    if (lines.length > 0) await keep({ messageID, callID, lines });
    return toolMessage(sdk, { callID, name }, problem === undefined ? result : explained(result, problem));
  };

  /** Makes the conversation shorter if it is too long, before the request or when the provider says so. */
  async #fitting(
    messages: readonly Message[],
    request: (messages: readonly Message[]) => Promise<Answer>,
  ): Promise<Answer> {
    const { sdk, contextTokens } = this.#parts;
    let shown = withSummary(messages, this.#summary, sdk);
    if (contextTokens !== undefined && this.#sizeOf(shown) > contextTokens * FULL) {
      await this.#compact(shown, "threshold");
      shown = withSummary(messages, this.#summary, sdk);
    }
    for (let summaries = 0; ; summaries++) {
      try {
        return await request(shown);
      } catch (error) {
        if (!isContextOverflow(error) || summaries >= MAX_SUMMARIES) throw error;
        if (!(await this.#compact(shown, "overflow"))) throw error;
        shown = withSummary(messages, this.#summary, sdk);
      }
    }
  }

  #sizeOf(messages: readonly Message[]): number {
    return estimateTokens(messages) + Math.max(this.#missedTokens, this.tools.tokens);
  }

  /** Summarises the older part of the messages. False if that is not possible. */
  async #compact(messages: readonly Message[], trigger: "threshold" | "overflow"): Promise<boolean> {
    const { sdk, emit, chat, signal, contextTokens, keep } = this.#parts;
    const size = estimateTokens(messages);
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
      const older = messages.slice(
        0,
        messages.findIndex(({ id }) => id === before),
      );
      const asked = [summaryRequest(older, sdk, limit)];
      const said = await this.#retried(() => chat.model.invoke(asked, { signal, callbacks: [], maxRetries: 0 }));
      const usage = usageOf(said, chat.name);
      if (usage) emit({ type: "usage", ...usage });
      if (said.text.trim() === "") throw new Error("The summary of the conversation is empty");
      this.#summary = { text: said.text, before };
      await keep({ summary: this.#summary });
      end({ result: { summary: said.text } });
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

  /** One message of the model. Each attempt is a message of its own. */
  #request(request: ModelRequest, handler: Handler): Promise<Answer> {
    const { sdk, chat, emit } = this.#parts;
    const place = imagePlace(chat);
    const settings = { ...request.modelSettings, maxRetries: 0, ...cacheSettings(chat) };
    return this.#retried(async () => {
      const streamed = new StreamedMessage(emit);
      this.#streamed = streamed;
      try {
        const response = await handler({
          ...request,
          messages: toRequest(request.messages, sdk, place),
          tools: this.tools.structured,
          modelSettings: settings,
        });
        const answer = readAnswer(response, streamed.id, sdk);
        this.#missedTokens = (response.usage_metadata?.input_tokens ?? 0) - estimateTokens(request.messages);
        streamed.complete(answer);
        return answer;
      } catch (error) {
        streamed.endEarly();
        throw error;
      } finally {
        this.#streamed = undefined;
      }
    });
  }

  #retried<T>(request: () => Promise<T>): Promise<T> {
    const { retries: policy, signal, emit, chat } = this.#parts;
    return withRetries(request, { policy, signal, emit, describe: (error) => describeFailure(error, chat).problem });
  }
}

/** A message while it is streamed. */
class StreamedMessage {
  readonly id: string = crypto.randomUUID();
  readonly #emit: (event: AgentEvent) => void;
  #text = "";
  #thinking = "";
  #ended = false;

  constructor(emit: (event: AgentEvent) => void) {
    this.#emit = emit;
  }

  add(part: Message): void {
    if (this.#ended) return;
    const { text, thinking } = streamedText(part);
    const messageID = this.id;
    this.#text += text;
    this.#thinking += thinking;
    if (thinking !== "") this.#emit({ type: "thinking.delta", messageID, text: thinking });
    if (text !== "") this.#emit({ type: "message.delta", messageID, text });
  }

  complete({ text, thinking }: Pick<Answer, "text" | "thinking">): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#emit({
      type: "message.complete",
      messageID: this.id,
      content: text === "" ? [] : [{ type: "text", text }],
      ...(thinking === "" ? {} : { thinking }),
    });
  }

  /** What was streamed is kept. */
  endEarly(): void {
    if (this.#text === "" && this.#thinking === "") this.#ended = true;
    else this.complete({ text: this.#text, thinking: this.#thinking });
  }
}

/** Anthropic's API accepts images in results. Others accept them only from the user. */
function imagePlace({ model, provider }: NamedModel): ImagePlace {
  if (model.profile?.imageInputs === false) return "none";
  return provider === "anthropic" ? "result" : "user";
}

/** Anthropic's API caches a conversation only if it is asked to. Other servers with the same API may not know the option. */
function cacheSettings({ provider, baseUrl }: NamedModel): Readonly<Record<string, unknown>> {
  return provider === "anthropic" && baseUrl === undefined ? { cache_control: { type: "ephemeral" } } : {};
}

function usageOf({ usage_metadata: usage }: Message, model: string): Usage | undefined {
  if (!usage) return undefined;
  const { input_tokens: inputTokens, output_tokens: outputTokens, input_token_details: cache } = usage;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cache?.cache_read === undefined ? {} : { cacheReadTokens: cache.cache_read }),
    ...(cache?.cache_creation === undefined ? {} : { cacheWriteTokens: cache.cache_creation }),
    model,
  };
}

function explained(result: ModelResult, problem: string): ModelResult {
  return {
    ...result,
    text: `The arguments of this call are not valid JSON: ${problem}\n${result.text}`.toWellFormed(),
  };
}

function tooManyRequests(maxRequests: number): AgentError {
  return new AgentError(
    "agent_failed",
    `The turn was stopped after ${maxRequests} requests to the model. Send another message to continue.`,
  );
}
