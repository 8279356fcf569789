import type { AgentContext, AgentSessionOptions } from "../../core/coding-agent.ts";
import type { AdapterSession, AgentAdapter } from "../adapted-agent.ts";
import { importPackage } from "../agent-packages.ts";
import { createChatModel, type NamedModel } from "./chat-model.ts";
import type { ChatModel, LangChain } from "./langchain-sdk.ts";
import { LangchainSession } from "./langchain-session.ts";
import { DEFAULT_RETRIES, type RetryPolicy } from "./retry.ts";

/** Settings of the LangChain agent of a program. All are optional. */
export interface LangchainOptions {
  /** A chat model of LangChain, instead of the one that `--model` names. */
  readonly model?: ChatModel;
  /** The text before the conversation, instead of ours. */
  readonly systemPrompt?: string;
  /** The number of tokens that the model accepts, if LangChain does not know the model. */
  readonly contextTokens?: number;
  /** How often a failed request is repeated, and the first delay. */
  readonly retry?: Partial<RetryPolicy>;
}

/** Runs sessions with `createAgent` of LangChain. The conversation is kept by our log only. */
export function createLangchainAdapter(context: AgentContext, settings: LangchainOptions = {}): AgentAdapter {
  return new LangchainAdapter(context, settings);
}

class LangchainAdapter implements AgentAdapter {
  readonly name = "langchain";
  readonly builtins = true;
  readonly keepsHistory = false;
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

  async openSession(options: AgentSessionOptions): Promise<AdapterSession> {
    const sdk = await this.#load();
    const { model, systemPrompt, contextTokens, retry } = this.#settings;
    const chat = model === undefined ? await createChatModel(options, this.#context) : named(model);
    return new LangchainSession(
      {
        sdk,
        chat,
        systemPrompt,
        retries: { ...DEFAULT_RETRIES, ...retry },
        contextTokens: contextTokens ?? chat.model.profile?.maxInputTokens,
      },
      options,
    );
  }

  async #load(): Promise<LangChain> {
    this.#sdk ??= await importPackage<LangChain>(
      { module: "langchain", install: "langchain@1 @langchain/core@1" },
      this.#context,
    );
    return this.#sdk;
  }
}

/** The fields in which chat models keep the name of the model. */
function named(model: ChatModel & { readonly model?: unknown; readonly modelName?: unknown }): NamedModel {
  const name = [model.model, model.modelName].find((each) => typeof each === "string") as string | undefined;
  const provider = model._llmType?.() ?? "LangChain";
  return { model, name: name ?? provider, provider };
}
