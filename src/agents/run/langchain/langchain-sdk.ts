/** The part of the packages `langchain` and `@langchain/*` that is used here. The values were checked with `langchain` 1.5. */

/** A part of the content of a message. Providers add types of their own, such as "thinking". */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface ModelToolCall {
  readonly id?: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly type?: "tool_call";
}

/** What a message is made of. */
export interface MessageFields {
  readonly id?: string;
  readonly content: string | readonly ContentBlock[];
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly response_metadata?: Readonly<Record<string, unknown>>;
}

export interface AiFields extends MessageFields {
  readonly tool_calls?: readonly ModelToolCall[];
  readonly usage_metadata?: UsageMetadata;
}

interface ToolFields extends MessageFields {
  readonly tool_call_id: string;
  readonly name?: string;
  readonly status?: "success" | "error";
  /** For programs, not for the model. */
  readonly artifact?: unknown;
}

interface UsageMetadata {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number };
}

/** A message. Streamed messages are chunks: `tool_call_chunks` has the arguments as the model wrote them. */
export interface Message extends MessageFields {
  /** "human", "ai", "tool" or "system". */
  readonly type: string;
  readonly text: string;
  /** The content in LangChain's own types: "text", "reasoning". Throws for content that LangChain cannot translate. */
  readonly contentBlocks?: readonly ContentBlock[];
  readonly tool_calls?: readonly ModelToolCall[];
  readonly invalid_tool_calls?: readonly { readonly id?: string; readonly name?: string; readonly args?: string }[];
  readonly tool_call_chunks?: readonly {
    readonly id?: string;
    readonly name?: string;
    readonly args?: string;
    readonly index?: number;
  }[];
  readonly usage_metadata?: UsageMetadata;
  readonly tool_call_id?: string;
  name?: string | undefined;
  readonly artifact?: unknown;
}

/** A chat model: `BaseChatModel` of `@langchain/core`, or one with bound options. */
export interface ChatModel {
  invoke(messages: readonly Message[], options?: Readonly<Record<string, unknown>>): Promise<Message>;
  /** What is known about the model. Empty for an unknown one. */
  readonly profile?: { readonly maxInputTokens?: number; readonly imageInputs?: boolean };
  /** The kind of its API, such as "openai". */
  _llmType?(): string;
}

/** A tool that a model can be shown. */
export interface StructuredTool {
  readonly name: string;
}

export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly StructuredTool[];
  readonly modelSettings?: Readonly<Record<string, unknown>>;
}

export interface Middleware {
  readonly name: string;
  wrapModelCall(request: ModelRequest, handler: (request: ModelRequest) => Promise<Message>): Promise<Message>;
  wrapToolCall(request: { readonly toolCall: ModelToolCall }): Promise<Message>;
}

interface ReactAgent {
  invoke(input: { readonly messages: readonly Message[] }, config: RunConfig): Promise<unknown>;
}

interface RunConfig {
  readonly signal: AbortSignal;
  readonly recursionLimit: number;
  readonly callbacks: readonly StreamHandler[];
}

/** A callback handler. Without `awaitHandlers`, LangChain calls it later than the code after the model request. */
export interface StreamHandler {
  readonly name: string;
  readonly awaitHandlers: true;
  readonly lc_prefer_streaming: true;
  handleLLMNewToken(
    token: string,
    index: unknown,
    runID: string,
    parentRunID: string | undefined,
    tags: unknown,
    fields?: { readonly chunk?: { readonly message?: Message } },
  ): void;
}

/** The module `langchain`. */
export interface LangChain {
  createAgent(options: {
    readonly model: ChatModel;
    readonly tools: readonly StructuredTool[];
    readonly systemPrompt: Message;
    readonly middleware: readonly unknown[];
  }): ReactAgent;
  createMiddleware(middleware: Middleware): unknown;
  tool(
    run: (input: unknown) => unknown,
    fields: { readonly name: string; readonly description: string; readonly schema: unknown },
  ): StructuredTool;
  readonly AIMessage: new (fields: AiFields) => Message;
  readonly SystemMessage: new (fields: MessageFields) => Message;
  readonly HumanMessage: new (fields: MessageFields) => Message;
  readonly ToolMessage: new (fields: ToolFields) => Message;
}

/** The module `langchain/chat_models/universal`: which package and class each provider has. */
export interface ChatModels {
  readonly MODEL_PROVIDER_CONFIG: Readonly<Record<string, { readonly package: string; readonly className: string }>>;
}
