/** The part of `@agentclientprotocol/sdk` that is used. */
export interface AcpSdk {
  client(options: { readonly name: string }): AcpClient;
  ndJsonStream(output: WritableStream<Uint8Array>, input: ReadableStream<Uint8Array>): unknown;
  readonly RequestError: {
    new (code: number, message: string): Error;
    methodNotFound(method: string): Error;
  };
}

interface AcpClient {
  onNotification<P>(method: string, handler: (context: { readonly params: P }) => void): AcpClient;
  onRequest<P>(
    method: string,
    /** The signal fires when the agent withdraws the request. */
    handler: (context: { readonly params: P; readonly method: string; readonly signal: AbortSignal }) => unknown,
  ): AcpClient;
  connect(stream: unknown): AcpConnection;
}

export interface AcpConnection {
  readonly agent: {
    request(method: string, params: unknown): Promise<unknown>;
    notify(method: string, params: unknown): Promise<void>;
  };
  close(): void;
}

/** `_meta` of a message: extensions of an agent. */
type Meta = Readonly<Record<string, unknown>> | null | undefined;

export type AcpContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | { readonly type: "resource_link"; readonly uri: string; readonly name?: string; readonly mimeType?: string }
  | { readonly type: "resource"; readonly resource: { readonly uri: string; readonly text?: string } };

/** A tool call, or what has changed of it. Fields that are missing or null are unchanged. */
export interface ToolCallFields {
  readonly toolCallId: string;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: string | null;
  readonly status?: "pending" | "in_progress" | "completed" | "failed" | null;
  readonly content?: readonly ToolCallContent[] | null;
  readonly locations?: readonly { readonly path: string }[] | null;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly _meta?: Meta;
}

export type ToolCallContent =
  | { readonly type: "content"; readonly content: AcpContent }
  | { readonly type: "diff"; readonly path: string; readonly oldText?: string | null; readonly newText: string }
  | { readonly type: "terminal"; readonly terminalId: string };

/** A piece of a message of the model. */
export interface TextChunk {
  readonly sessionUpdate: "agent_message_chunk" | "agent_thought_chunk";
  readonly content: AcpContent;
  readonly messageId?: string | null;
  readonly _meta?: Meta;
}

export type SessionUpdate =
  | TextChunk
  | { readonly sessionUpdate: "user_message_chunk" }
  | ({ readonly sessionUpdate: "tool_call" | "tool_call_update" } & ToolCallFields)
  | { readonly sessionUpdate: "notice"; readonly title?: string; readonly description?: string | null }
  | { readonly sessionUpdate: "compaction_update"; readonly status?: string; readonly error?: unknown }
  | { readonly sessionUpdate: "usage_update"; readonly used: number; readonly size: number };

export interface PermissionParams {
  readonly sessionId: string;
  readonly toolCall: ToolCallFields;
  readonly options: readonly {
    readonly optionId: string;
    readonly kind: "allow_once" | "allow_always" | "reject_once" | "reject_always";
  }[];
}

export interface InitializeResult {
  readonly agentCapabilities?: {
    readonly loadSession?: boolean;
    readonly promptCapabilities?: { readonly image?: boolean };
    readonly mcpCapabilities?: { readonly http?: boolean };
    readonly sessionCapabilities?: Readonly<Record<string, unknown>>;
  };
  readonly agentInfo?: { readonly name?: string; readonly version?: string };
}

export interface OpenedResult {
  readonly sessionId?: string;
  readonly configOptions?: readonly {
    readonly id: string;
    readonly category?: string | null;
    readonly currentValue?: unknown;
    readonly options?: readonly { readonly value?: string; readonly options?: readonly { readonly value: string }[] }[];
  }[];
}

export interface PromptResult {
  readonly stopReason: "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled";
  readonly usage?: Readonly<Record<string, number | null | undefined>> | null;
  readonly _meta?: Meta;
}

/** An MCP server in `session/new`. */
export interface McpServerEntry {
  readonly type: "http";
  readonly name: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}
