import type { AgentContext, AgentSession, AgentSessionOptions } from "../../../core/coding-agent.ts";
import { outputsFolder } from "../../../host/output/outputs.ts";
import type { AgentAdapter } from "../adapted-agent.ts";
import { importPackage } from "../agent-packages.ts";
import { createChatModel, type NamedModel } from "./chat-model.ts";
import type { ChatModel, LangChain } from "./langchain-sdk.ts";
import { LangchainSession } from "./langchain-session.ts";
import { DEFAULT_RETRIES } from "./retry.ts";

const MAX_REQUESTS = 500;

/** A chat model of LangChain: an instance of `BaseChatModel`, such as `new ChatOpenAI(…)`. */
export interface LangchainModel {
  invoke(input: never, options?: never): Promise<unknown>;
}

/** How a program sets up LangChain's agent. All options are optional. */
export interface LangchainOptions {
  /** The model of all sessions, instead of the one that the option `model` of a session names. */
  readonly model?: LangchainModel;
  /** The text before the conversation, instead of ours, which names the directory and the tools. */
  readonly systemPrompt?: string;
  /** The number of tokens that the model accepts, if LangChain does not know the model. */
  readonly contextTokens?: number;
  /** How often a failed model request is repeated (4 times), and the first delay (1000 ms), which doubles each time. */
  readonly retry?: { readonly retries?: number; readonly delayMs?: number };
  /** The maximum number of model requests in one turn: 500. */
  readonly maxRequests?: number;
}

/** Runs sessions with `createAgent` of LangChain. The conversation is kept by our log only. */
export function createLangchainAdapter(context: AgentContext, settings: LangchainOptions = {}): AgentAdapter {
  return new LangchainAdapter(context, settings);
}

const SDK = { module: "langchain", install: "langchain@1 @langchain/core@1" };

class LangchainAdapter implements AgentAdapter {
  readonly name = "langchain";
  readonly builtins = true;
  readonly keepsHistory = false;
  readonly needs = [SDK];
  readonly #context: AgentContext;
  readonly #settings: LangchainOptions;
  #sdk: LangChain | undefined;

  constructor(context: AgentContext, settings: LangchainOptions) {
    this.#context = context;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    await this.#load();
  }

  async stop(): Promise<void> {}

  async openSession(options: AgentSessionOptions): Promise<AgentSession> {
    const sdk = await this.#load();
    const { model, systemPrompt, contextTokens, retry, maxRequests = MAX_REQUESTS } = this.#settings;
    const chat = model === undefined ? await createChatModel(options, this.#context) : named(model as ChatModel);
    return new LangchainSession(
      {
        sdk,
        chat,
        systemPrompt,
        maxRequests,
        outputs: outputsFolder(this.#context.toolwrightHome),
        retries: { ...DEFAULT_RETRIES, ...retry },
        contextTokens: contextTokens ?? chat.model.profile?.maxInputTokens,
      },
      options,
    );
  }

  async #load(): Promise<LangChain> {
    this.#sdk ??= await importPackage<LangChain>(SDK, this.#context);
    return this.#sdk;
  }
}

/** The fields in which chat models keep the name of the model. */
function named(model: ChatModel & { readonly model?: unknown; readonly modelName?: unknown }): NamedModel {
  const name = [model.model, model.modelName].find((each) => typeof each === "string") as string | undefined;
  const provider = model._llmType?.() ?? "LangChain";
  return { model, name: name ?? provider, provider };
}
