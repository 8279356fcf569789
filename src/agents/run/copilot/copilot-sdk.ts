import type { ChildProcess } from "node:child_process";

/** The part of `@github/copilot-sdk` that is used here. */
export interface CopilotSdk {
  readonly CopilotClient: new (options: CopilotClientOptions) => CopilotClient;
  readonly RuntimeConnection: { forStdio(options: { path: string }): unknown };
}

interface CopilotClientOptions {
  readonly connection: unknown;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CopilotClient {
  start(): Promise<void>;
  /** Resolves to the errors. */
  stop(): Promise<readonly Error[]>;
  createSession(config: SessionConfig): Promise<CopilotSession>;
  resumeSession(id: string, config: SessionConfig): Promise<CopilotSession>;
  /** Private in the SDK. */
  startCLIServer?: () => Promise<void>;
  /** Private in the SDK. */
  cliProcess?: ChildProcess | null;
}

export interface CopilotSession {
  readonly sessionId: string;
  send(message: {
    readonly prompt: string;
    readonly attachments?: readonly { readonly type: "blob"; readonly data: string; readonly mimeType: string }[];
  }): Promise<string>;
  /** Resolves when the turn is over. */
  abort(): Promise<void>;
  disconnect(): Promise<void>;
}

/** The options of `createSession` and `resumeSession`. */
export interface SessionConfig {
  readonly clientName: string;
  readonly model?: string;
  readonly provider?: {
    readonly type: "openai";
    readonly wireApi: "completions";
    readonly baseUrl: string;
    readonly apiKey?: string;
  };
  readonly modelCapabilities?: unknown;
  readonly systemMessage?: { readonly mode: "append"; readonly content: string };
  readonly workingDirectory: string;
  readonly tools: readonly CopilotSdkTool[];
  readonly toolSearch: { readonly enabled: boolean };
  readonly largeOutput: { readonly enabled: boolean };
  readonly streaming: boolean;
  readonly includeSubAgentStreamingEvents: boolean;
  readonly enableSessionTelemetry: boolean;
  readonly enableFileHooks: boolean;
  readonly onPermissionRequest: (request: CopilotPermissionRequest) => Promise<PermissionDecision>;
  readonly onUserInputRequest: (request: UserInputRequest) => Promise<UserInputResponse>;
  readonly onEvent: (event: CopilotSdkEvent) => void;
}

export interface CopilotSdkTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly handler: (input: unknown, invocation: SdkInvocation) => Promise<CopilotToolResult>;
  readonly overridesBuiltInTool: boolean;
  readonly skipPermission: boolean;
  readonly defer: "never";
}

/** `signal` fires when the runtime no longer waits for the result. */
interface SdkInvocation {
  readonly toolCallId: string;
  readonly signal?: AbortSignal;
}

/** An object without both required fields is sent to the model as JSON. */
export interface CopilotToolResult {
  readonly textResultForLlm: string;
  readonly resultType: "success" | "failure";
  readonly error?: string;
  readonly binaryResultsForLlm?: readonly {
    readonly data: string;
    readonly mimeType: string;
    readonly type: "image";
  }[];
}

export interface UserInputRequest {
  readonly question: string;
  readonly choices?: readonly string[];
  /** True by default. */
  readonly allowFreeform?: boolean;
}

export interface UserInputResponse {
  readonly answer: string;
  /** Whether the answer is none of the choices. */
  readonly wasFreeform: boolean;
}

/** Which fields are set depends on the kind. Later versions may have more kinds. */
export interface CopilotPermissionRequest {
  readonly kind: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  /** Of the kind "shell". */
  readonly fullCommandText?: string;
  /** Of the kind "write". */
  readonly fileName?: string;
  /** Of the kind "read". */
  readonly path?: string;
  /** Of the kinds "write" and "read": the path without symbolic links. */
  readonly resolvedPath?: string;
  /** Of the kind "url". */
  readonly url?: string;
}

export type PermissionDecision =
  | { readonly kind: "approve-once" }
  | { readonly kind: "reject"; readonly feedback: string };

/** An event of a session. Later versions may have more types. `agentId` is set for events of a sub-agent. */
export type CopilotSdkEvent = { readonly agentId?: string } & (
  | { readonly type: "assistant.message_delta"; readonly data: { messageId: string; deltaContent: string } }
  | { readonly type: "assistant.reasoning_delta"; readonly data: { deltaContent: string } }
  | {
      readonly type: "assistant.message";
      readonly data: {
        readonly messageId: string;
        readonly content: string;
        readonly reasoningText?: string;
        readonly toolRequests?: readonly { readonly toolCallId: string }[];
      };
    }
  | {
      readonly type: "assistant.usage";
      readonly data: {
        readonly model?: string;
        readonly inputTokens?: number;
        readonly outputTokens?: number;
        readonly cacheReadTokens?: number;
        readonly cacheWriteTokens?: number;
      };
    }
  | {
      readonly type: "tool.execution_start";
      readonly data: { readonly toolCallId: string; readonly toolName: string; readonly arguments?: unknown };
    }
  /** `partialOutput` is all output so far. */
  | {
      readonly type: "tool.execution_partial_result";
      readonly data: { readonly toolCallId: string; readonly partialOutput: string };
    }
  | {
      readonly type: "tool.execution_complete";
      readonly data: {
        readonly toolCallId: string;
        readonly success: boolean;
        readonly result?: { readonly content: string };
        readonly error?: { readonly message: string };
      };
    }
  | { readonly type: "external_tool.requested"; readonly data: ToolRequestData }
  | { readonly type: "session.compaction_start"; readonly data: { readonly trigger?: string } }
  | {
      readonly type: "session.compaction_complete";
      readonly data: { readonly success: boolean; readonly error?: string };
    }
  | { readonly type: "session.warning"; readonly data: { readonly message: string } }
  /** `errorMessage` is JSON: the error in the response of the model's API, or a string. */
  | { readonly type: "model.call_failure"; readonly data: { readonly errorMessage?: string } }
  | { readonly type: "model.turn_retry"; readonly data: { readonly reason?: string } }
  | { readonly type: "session.error"; readonly data: SessionErrorData }
  /** The turn is over, also after an error or an abort. */
  | { readonly type: "session.idle"; readonly data: unknown }
);

/** A request for a tool of ours. The SDK answers it with the result of the tool's handler. */
export interface ToolRequestData {
  readonly requestId: string;
  readonly toolCallId: string;
}

export interface SessionErrorData {
  readonly message: string;
  readonly errorType?: string;
  readonly statusCode?: number;
}
