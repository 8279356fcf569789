import { AgentError } from "../../../core/agent-error.ts";
import type { AgentSessionOptions } from "../../../core/coding-agent.ts";
import { type ModelResult, type ResultFile, toModelResult } from "../model-result.ts";
import type { NamedModel } from "./chat-model.ts";
import { ContextWindow, type ContextWindowParts } from "./context-window.ts";
import type { Summary } from "./conversation-summary.ts";
import type { Message, Middleware, ModelRequest, ModelToolCall, StreamHandler } from "./langchain-sdk.ts";
import { type ModelAnswer, readAnswer, usageOf } from "./model-answer.ts";
import { describeFailure } from "./model-error.ts";
import { type ImagePlace, type MessageExtras, toolMessage, toRequest } from "./model-messages.ts";
import { type ModelTools, toModelTools } from "./model-tools.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";
import { StreamedMessage } from "./streamed-message.ts";

/** What a turn works with. */
export interface TurnParts extends Omit<ContextWindowParts, "keep" | "retried" | "toolTokens"> {
  readonly options: Pick<AgentSessionOptions, "tools">;
  readonly retries: RetryPolicy;
  /** The maximum number of model requests. */
  readonly maxRequests: number;
  /** Stores an attachment of a call, and returns a line that says where it is. */
  readonly storeFile: (part: ResultFile, callID: string) => string;
  /** Stores what the log lacks. */
  readonly keep: (kept: Kept) => Promise<void>;
}

/** A part of the conversation that the log lacks. */
export type Kept =
  | { readonly summary: Summary }
  | { readonly messageID: string; readonly extras: MessageExtras }
  /** The lines for the attachments of a call. */
  | { readonly messageID: string; readonly callID: string; readonly lines: readonly string[] };

type Handler = (request: ModelRequest) => Promise<Message>;

/** One turn: the hooks of LangChain's agent that make its model requests and run its tool calls. */
export class LangchainTurn implements Middleware, StreamHandler {
  readonly name = "toolwright";
  readonly awaitHandlers = true as const;
  readonly lc_prefer_streaming = true as const;
  readonly #parts: TurnParts;
  readonly #runs: Promise<unknown>[] = [];
  #tools: ModelTools | undefined;
  #answer: ModelAnswer | undefined;
  #streamed: StreamedMessage | undefined;
  readonly #window: ContextWindow;
  #requests = 0;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#window = new ContextWindow({
      ...parts,
      keep: (summary) => parts.keep({ summary }),
      retried: (request) => this.#retried(request),
      toolTokens: () => this.tools.tokens,
    });
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

  /** Resolves when the calls have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#runs);
  }

  handleLLMNewToken: StreamHandler["handleLLMNewToken"] = (_token, _index, _runID, _parentID, _tags, fields) => {
    const message = fields?.chunk?.message;
    if (message) this.#streamed?.add(message);
  };

  wrapModelCall = async (request: ModelRequest, handler: Handler): Promise<Message> => {
    const { emit, signal, chat, keep, maxRequests } = this.#parts;
    this.#requests += 1;
    if (this.#requests > maxRequests) throw tooManyRequests(maxRequests);
    const answer = await this.#window.fit(request.messages, (messages) =>
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
    this.#runs.push(run.result);
    const lines: string[] = [];
    const result = toModelResult(await run.result, (part) => lines[lines.push(storeFile(part, callID)) - 1] ?? "");
    if (lines.length > 0) await keep({ messageID, callID, lines });
    return toolMessage(sdk, { callID, name }, problem === undefined ? result : explained(result, problem));
  };

  /** One message of the model. Each attempt is a message of its own. */
  #request(request: ModelRequest, handler: Handler): Promise<ModelAnswer> {
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
        this.#window.counted(request.messages, response);
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

/** Anthropic's API accepts images in results. Others accept them only from the user. */
function imagePlace({ model, provider }: NamedModel): ImagePlace {
  if (model.profile?.imageInputs === false) return "none";
  return provider === "anthropic" ? "result" : "user";
}

/** Anthropic's API caches a conversation only if it is asked to. Other servers with the same API may not know the option. */
function cacheSettings({ provider, baseUrl }: NamedModel): Readonly<Record<string, unknown>> {
  return provider === "anthropic" && baseUrl === undefined ? { cache_control: { type: "ephemeral" } } : {};
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
