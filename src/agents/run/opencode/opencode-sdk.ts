/** The part of `@opencode-ai/sdk/v2/client` that is used here. */
export interface OpencodeSdk {
  createOpencodeClient(config: {
    readonly baseUrl: string;
    readonly directory: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly throwOnError: true;
  }): OpencodeClient;
}

export interface OpencodeClient {
  readonly session: {
    create(input: { readonly permission: readonly OpencodeRule[] }): Answered<OpencodeSessionInfo>;
    get(input: SessionRef): Answered<OpencodeSessionInfo>;
    /** `permission` is added to the rules of the session. */
    update(
      input: SessionRef & { readonly title?: string; readonly permission?: readonly OpencodeRule[] },
    ): Answered<unknown>;
    promptAsync(input: OpencodePrompt): Answered<unknown>;
    abort(input: SessionRef): Answered<unknown>;
    /** The status of the sessions of the directory. One that is not among them is idle. */
    status(): Answered<Readonly<Record<string, { readonly type: string }>>>;
  };
  readonly mcp: {
    /** Replaces a server of this name. */
    add(input: {
      readonly name: string;
      readonly config: unknown;
    }): Answered<Readonly<Record<string, { readonly status: string; readonly error?: string }>>>;
    disconnect(input: { readonly name: string }): Answered<unknown>;
  };
  readonly permission: {
    /** With a message, a rejection tells it to the model; without one, it ends the turn. */
    reply(input: {
      readonly requestID: string;
      readonly reply: "once" | "reject";
      readonly message?: string;
    }): Answered<unknown>;
  };
  readonly config: { get(): Answered<{ readonly permission?: unknown }> };
  readonly event: {
    subscribe(
      parameters: Readonly<Record<string, never>>,
      options: {
        readonly signal: AbortSignal;
        readonly sseMaxRetryAttempts: number;
        readonly sseSleepFn: () => Promise<void>;
      },
    ): Promise<{ readonly stream: AsyncIterable<OpencodeEvent> }>;
  };
}

type Answered<T> = Promise<{ readonly data: T }>;

interface SessionRef {
  readonly sessionID: string;
}

export interface OpencodePrompt extends SessionRef {
  readonly model?: { readonly providerID: string; readonly modelID: string };
  readonly system?: string;
  readonly parts: readonly (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "file"; readonly mime: string; readonly url: string; readonly filename?: string }
  )[];
}

/** The last rule that matches decides. Names and patterns have wildcards. */
export interface OpencodeRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: "allow" | "ask" | "deny";
}

interface OpencodeSessionInfo {
  readonly id: string;
  readonly title?: string;
  readonly parentID?: string;
  readonly permission?: readonly OpencodeRule[];
}

export interface OpencodeMessage {
  readonly id: string;
  readonly sessionID: string;
  readonly role: "user" | "assistant";
  readonly modelID?: string;
  readonly summary?: unknown;
}

export type OpencodePart = { readonly id: string; readonly sessionID: string; readonly messageID: string } & (
  | { readonly type: "text" | "reasoning"; readonly text: string; readonly time?: { readonly end?: number } }
  | OpencodeToolPart
  /** The end of one request to the model. */
  | {
      readonly type: "step-finish";
      readonly cost: number;
      readonly tokens: {
        readonly input: number;
        readonly output: number;
        readonly cache: { readonly read: number; readonly write: number };
      };
    }
  | { readonly type: "compaction" }
);

export interface OpencodeToolPart {
  readonly type: "tool";
  readonly callID: string;
  readonly tool: string;
  readonly state:
    | { readonly status: "pending" }
    | { readonly status: "running"; readonly input: unknown; readonly title?: string; readonly metadata?: unknown }
    | {
        readonly status: "completed";
        readonly input: unknown;
        readonly output: string;
        /** Differs by tool. */
        readonly metadata?: unknown;
        readonly attachments?: readonly { readonly mime: string; readonly url: string }[];
      }
    | { readonly status: "error"; readonly input: unknown; readonly error: string };
}

export interface OpencodePermission {
  readonly id: string;
  readonly sessionID: string;
  readonly permission: string;
  readonly patterns: readonly string[];
  /** Missing for some calls. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly tool?: { readonly messageID: string; readonly callID: string };
}

export interface OpencodeError {
  readonly name: string;
  readonly data?: { readonly message?: string; readonly statusCode?: number; readonly providerID?: string };
}

type OpencodeStatus =
  | { readonly type: "idle" | "busy" }
  | { readonly type: "retry"; readonly attempt: number; readonly message: string; readonly next: number };

/** An event of the server. There are more types. */
export type OpencodeEvent =
  | { readonly type: "server.connected" }
  | { readonly type: "session.created"; readonly properties: { readonly info: OpencodeSessionInfo } }
  | { readonly type: "message.updated"; readonly properties: { readonly info: OpencodeMessage } }
  | { readonly type: "message.part.updated"; readonly properties: { readonly part: OpencodePart } }
  | {
      readonly type: "message.part.delta";
      readonly properties: {
        readonly sessionID: string;
        readonly messageID: string;
        readonly partID: string;
        readonly field: string;
        readonly delta: string;
      };
    }
  | { readonly type: "permission.asked"; readonly properties: OpencodePermission }
  | {
      readonly type: "session.status";
      readonly properties: { readonly sessionID: string; readonly status: OpencodeStatus };
    }
  | {
      readonly type: "session.error";
      readonly properties: { readonly sessionID?: string; readonly error?: OpencodeError };
    }
  | { readonly type: "session.compacted"; readonly properties: { readonly sessionID: string } };
