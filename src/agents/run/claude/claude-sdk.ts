import type { SdkTransport } from "../../../surfaces/mcp/in-process-server.ts";

/** The part of `@anthropic-ai/claude-agent-sdk` that the adapter uses. */
export interface ClaudeSdk {
  query(params: { readonly prompt: AsyncIterable<UserInput>; readonly options: QueryOptions }): Query;
}

/** A running Claude Code. The iteration ends when its process ends, and throws if it failed. */
export interface Query extends AsyncIterable<SdkMessage> {
  /** Stops the turn. The process goes on. */
  interrupt(): Promise<unknown>;
  /** Closes standard input, and ends the process if it does not exit. */
  close(): void;
}

export interface QueryOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly model?: string;
  /** The id of a new session: a UUID. */
  readonly sessionId?: string;
  readonly resume?: string;
  readonly permissionMode: "default";
  readonly settingSources: readonly ("user" | "project" | "local")[];
  readonly settings: { readonly permissions: { readonly allow: readonly string[] } };
  readonly systemPrompt: {
    readonly type: "preset";
    readonly preset: "claude_code";
    readonly append?: string;
    readonly snapshot: boolean;
  };
  readonly pathToClaudeCodeExecutable?: string;
  readonly strictMcpConfig: boolean;
  readonly includePartialMessages: boolean;
  readonly disallowedTools: readonly string[];
  readonly mcpServers: Readonly<Record<string, SdkMcpServer>>;
  readonly hooks: { readonly PreToolUse: readonly HookMatcher[] };
  canUseTool(tool: string, input: Record<string, unknown>, request: ToolRequest): Promise<ToolDecision>;
  spawnClaudeCodeProcess(program: {
    readonly command: string;
    readonly args: readonly string[];
    readonly cwd?: string;
    readonly env: Record<string, string | undefined>;
  }): unknown;
}

/** An MCP server in this process. */
export interface SdkMcpServer {
  readonly type: "sdk";
  readonly name: string;
  /** The time limit of a call in milliseconds. */
  readonly timeout: number;
  readonly instance: { connect(transport: SdkTransport): Promise<void> };
}

interface HookMatcher {
  /** A regular expression for the names of tools. */
  readonly matcher: string;
  readonly hooks: readonly (() => Promise<object>)[];
}

interface ToolRequest {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
}

export type ToolDecision =
  | { readonly behavior: "allow"; readonly updatedInput: Record<string, unknown> }
  | { readonly behavior: "deny"; readonly message: string };

/** A prompt. */
export interface UserInput {
  readonly type: "user";
  readonly message: { readonly role: "user"; readonly content: readonly InputBlock[] };
  readonly parent_tool_use_id: null;
}

export type InputBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "document";
      readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
    };

/** The messages that the adapter reads. There are others. */
export type SdkMessage = { readonly session_id?: string } & (
  | StreamMessage
  | AssistantMessage
  | ToolResultMessage
  | SystemMessage
  | ResultMessage
);

/** An event of the messages API. */
export interface StreamMessage {
  readonly type: "stream_event";
  readonly parent_tool_use_id?: string | null;
  readonly event:
    | {
        readonly type: "message_start";
        readonly message: { readonly id: string; readonly model?: string; readonly usage?: ApiUsage };
      }
    | {
        readonly type: "content_block_delta";
        readonly delta: { readonly type: string; readonly text?: string; readonly thinking?: string };
      }
    | { readonly type: "message_delta"; readonly usage?: ApiUsage }
    | { readonly type: "message_stop" | "content_block_start" | "content_block_stop" };
}

export interface ApiUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** Complete blocks of a message: while a message is streamed, there is one of these for each of its blocks. */
export interface AssistantMessage {
  readonly type: "assistant";
  readonly message: { readonly id: string; readonly model?: string; readonly content: readonly AssistantBlock[] };
  /** The call of the sub-agent whose message this is. */
  readonly parent_tool_use_id?: string | null;
  /** Why there is no message of the model. The text then describes the failure. */
  readonly error?: string;
}

export type AssistantBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

/** Results of calls, for the model. */
export interface ToolResultMessage {
  readonly type: "user";
  readonly message: { readonly content: string | readonly ToolResultBlock[] };
}

export interface ToolResultBlock {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly ResultBlock[];
}

interface ResultBlock {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly data?: string; readonly media_type?: string };
}

export type SystemMessage = { readonly type: "system" } & (
  | { readonly subtype: "init" }
  | {
      readonly subtype: "status";
      readonly status: string | null;
      readonly compact_result?: "success" | "failed";
      readonly compact_error?: string;
    }
  | {
      readonly subtype: "api_retry";
      readonly attempt: number;
      readonly max_retries: number;
      readonly retry_delay_ms: number;
      readonly error_status: number | null;
      readonly error: string;
    }
);

/** The end of a turn. */
export interface ResultMessage {
  readonly type: "result";
  readonly subtype: string;
  readonly is_error: boolean;
  readonly api_error_status?: number | null;
  readonly result?: string;
  readonly errors?: readonly string[];
  /** Of the session so far. */
  readonly total_cost_usd?: number;
}
