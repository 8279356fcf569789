export interface TextContent {
  type: "text";
  text: string;
}

export interface ImageContent {
  type: "image";
  data: string;
  mimeType: string;
}

/** A call that is about to be made. Changing `input` in place changes the call. */
export interface ToolCallEvent {
  type: "tool_call";
  toolCallId: string;
  toolName: string;
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of any tool
  input: Record<string, any>;
}

export interface ToolCallEventResult {
  block?: boolean;
  /** What the model reads when the call is blocked. */
  reason?: string;
  input?: Record<string, unknown>;
}

/** A call that is over. What a handler returns takes the place of what there was. */
export interface ToolResultEvent {
  type: "tool_result";
  toolCallId: string;
  toolName: string;
  input: Record<string, unknown>;
  content: (TextContent | ImageContent)[];
  // biome-ignore lint/suspicious/noExplicitAny: the details of any tool
  details: any;
  isError: boolean;
}

export type ToolResultEventResult = Partial<Pick<ToolResultEvent, "content" | "details" | "isError">>;

export interface SessionStartEvent {
  type: "session_start";
  reason: "startup" | "reload" | "new" | "resume" | "fork";
  previousSessionFile?: string;
}
