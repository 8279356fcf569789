import type { Static as Static0, TSchema as TSchema0 } from "@sinclair/typebox";
import type { Static as Static1, TSchema as TSchema1 } from "typebox";
import type { z } from "zod";
import type { SessionEntry } from "../../core/session.ts";
import type { EventBus } from "./event-bus.ts";
import type { Theme } from "./theme.ts";

export type { SessionEntry } from "../../core/session.ts";
export type { EventBus } from "./event-bus.ts";
export type { Theme } from "./theme.ts";
export type { TruncationOptions, TruncationResult } from "./truncate-text.ts";

/** A parameter schema of TypeBox 0.x, TypeBox 1.x or Zod. */
export type TSchema = TSchema0 | TSchema1 | z.ZodType;

/** The type of `params` in `execute`. */
export type Static<S> = S extends z.ZodType
  ? z.infer<S>
  : S extends TSchema0
    ? Static0<S>
    : S extends TSchema1
      ? Static1<S>
      : Record<string, unknown>;

/** The result of a tool of pi or oh-my-pi. Throw to fail the call. */
export interface AgentToolResult<D = unknown> {
  content: (TextContent | ImageContent)[];
  details?: D;
  isError?: boolean;
  terminate?: boolean;
}

export type AgentToolUpdateCallback<D = unknown> = (partial: AgentToolResult<D>) => void;

/** The return value of a renderer. No line may be wider than `width`. */
interface Component {
  render(width: number): string[];
  invalidate?(): void;
}

export interface ToolRenderResultOptions {
  expanded: boolean;
  isPartial: boolean;
  spinnerFrame?: number;
}

/** The name in oh-my-pi. */
export type RenderResultOptions = ToolRenderResultOptions;

export interface ToolRenderContext<A = unknown> {
  args: A;
  toolCallId: string;
  invalidate(): void;
  lastComponent: Component | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: any state of the renderers of one call
  state: any;
  cwd: string;
  executionStarted: boolean;
  argsComplete: boolean;
  isPartial: boolean;
  expanded: boolean;
  showImages: boolean;
  isError: boolean;
}

export interface ExecOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds. */
  timeout?: number;
  cwd?: string;
  env?: Record<string, string>;
}

export interface ExecResult {
  stdout: string;
  stderr: string;
  code: number;
  killed: boolean;
}

export interface DialogOptions {
  signal?: AbortSignal;
  timeout?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: the TUI and the key bindings of pi, of which stand-ins exist
type Untyped = any;

/** Ends `ui.custom()` with a value. */
type Done<T> = (value: T) => void;

/** The user interface. Without one, nothing is shown and answers are empty. */
export interface ExtensionUIContext {
  select(title: string, options: string[], dialog?: DialogOptions): Promise<string | undefined>;
  confirm(title: string, message: string, dialog?: DialogOptions): Promise<boolean>;
  input(title: string, placeholder?: string, dialog?: DialogOptions): Promise<string | undefined>;
  editor(title: string, prefill?: string): Promise<string | undefined>;
  custom<T>(
    factory: (tui: Untyped, theme: Theme, keybindings: Untyped, done: Done<T>) => unknown,
    options?: object,
  ): Promise<T | undefined>;
  notify(message: string, type?: "info" | "warning" | "error"): void;
  setStatus(key: string, text: string | undefined): void;
  setWidget(
    key: string,
    content: string[] | ((tui: Untyped, theme: Theme) => unknown) | undefined,
    options?: object,
  ): void;
  setTitle(title: string): void;
  setWorkingMessage(message?: string): void;
  readonly theme: Theme;
  // biome-ignore lint/suspicious/noExplicitAny: members that change with each release have no effect
  [member: string]: any;
}

/** The session at the time of the call. */
export interface ReadonlySessionManager {
  getEntries(): SessionEntry[];
  getBranch(fromId?: string): SessionEntry[];
  getEntry(id: string): SessionEntry | undefined;
  getLeafId(): string | null;
  getLeafEntry(): SessionEntry | undefined;
  getChildren(parentId: string): SessionEntry[];
  getLabel(id: string): string | undefined;
  getTree(): SessionTreeNode[];
  getHeader(): { type: "session"; version: number; id: string; timestamp: string; cwd: string } | null;
  getSessionId(): string;
  getSessionFile(): string | undefined;
  getSessionName(): string | undefined;
  getSessionDir(): string;
  getCwd(): string;
  isPersisted(): boolean;
  buildContextEntries(): SessionEntry[];
  buildSessionContext(): SessionContext;
  buildSessionProjection(): SessionContext & { entries: { sourceEntry: SessionEntry; messages: unknown[] }[] };
}

/** The context of the session's model. */
export interface SessionContext {
  messages: unknown[];
  thinkingLevel: string;
  model: SessionModel | null;
}

export interface SessionModel {
  provider: string;
  modelId: string;
}

export interface SessionTreeNode {
  entry: SessionEntry;
  children: SessionTreeNode[];
  label?: string;
}

export type Model = Readonly<Record<string, unknown>>;

/** The models that the caller sent. There are no API keys. */
export interface ModelRegistry {
  find(provider: string, modelId: string): Model | undefined;
  getAll(): Model[];
  getAvailable(): Model[];
  getApiKey(model: Model): Promise<string | undefined>;
  getApiKeyForProvider(provider: string): Promise<string | undefined>;
}

/** The context of tools and handlers. */
export interface ExtensionContext {
  ui: ExtensionUIContext;
  mode: "tui" | "rpc" | "json" | "print";
  hasUI: boolean;
  cwd: string;
  sessionManager: ReadonlySessionManager;
  modelRegistry: ModelRegistry;
  model: Model | undefined;
  scopedModels: readonly unknown[];
  thinkingLevel: string | undefined;
  signal: AbortSignal | undefined;
  isIdle(): boolean;
  isProjectTrusted(): boolean;
  hasPendingMessages(): boolean;
  hasQueuedMessages(): boolean;
  abort(): void;
  shutdown(): void;
  compact(options?: unknown): void;
  getContextUsage(): { tokens: number | null; contextWindow: number; percent: number | null } | undefined;
  getSystemPrompt(): string;
}

/** The fields of tools in both systems. */
export interface ToolBase<S extends TSchema> {
  name: string;
  label?: string;
  description: string;
  parameters: S;
  hidden?: boolean;
  approval?: unknown;
}

/** The argument of `registerTool`. */
export interface ToolDefinition<S extends TSchema = TSchema, D = unknown> extends ToolBase<S> {
  promptSnippet?: string;
  promptGuidelines?: string[];
  executionMode?: "sequential" | "parallel";
  renderShell?: "default" | "self";
  prepareArguments?(args: unknown): Static<S>;
  execute(
    toolCallId: string,
    params: Static<S>,
    signal: AbortSignal | undefined,
    onUpdate: AgentToolUpdateCallback<D> | undefined,
    ctx: ExtensionContext,
  ): Promise<AgentToolResult<D>>;
  renderCall?(args: Static<S>, theme: Theme, context: ToolRenderContext<Static<S>>): Component;
  renderResult?(
    result: AgentToolResult<D>,
    options: ToolRenderResultOptions,
    theme: Theme,
    context: ToolRenderContext<Static<S>>,
  ): Component;
}

type On<E> = (event: E, ctx: ExtensionContext) => unknown;

/** The argument of a pi extension. Handlers of unlisted events are accepted but never called. */
export interface ExtensionAPI {
  on(event: "tool_call", handler: On<ToolCallEvent>): () => void;
  on(event: "tool_result", handler: On<ToolResultEvent>): () => void;
  on(event: "session_start", handler: On<SessionStartEvent>): () => void;
  // biome-ignore lint/suspicious/noExplicitAny: events differ with each release
  on(event: string, handler: On<any>): () => void;
  registerTool<S extends TSchema, D = unknown>(tool: ToolDefinition<S, D>): void;
  registerCommand(name: string, command: CommandOptions): void;
  registerShortcut(shortcut: string, options: object): void;
  registerFlag(name: string, options: { description?: string; type: string; default?: boolean | string }): void;
  getFlag(name: string): boolean | string | undefined;
  sendMessage(message: object, options?: object): void;
  sendUserMessage(content: string | (TextContent | ImageContent)[], options?: object): void;
  appendEntry(customType: string, data?: unknown): void;
  setSessionName(name: string): void;
  getSessionName(): string | undefined;
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  getActiveTools(): string[];
  setActiveTools(names: string[]): void;
  getAllTools(): { name: string; description: string; parameters: unknown }[];
  events: EventBus;
  // biome-ignore lint/suspicious/noExplicitAny: members that change with each release have no effect
  [member: string]: any;
}

/** A command, which people run in `toolwright chat`. Completions of its arguments are not used. */
export interface CommandOptions {
  description?: string;
  handler(args: string, ctx: ExtensionCommandContext): unknown;
  getArgumentCompletions?(prefix: string): unknown;
}

/** The context of a command. It cannot start, switch or fork sessions. */
export interface ExtensionCommandContext extends ExtensionContext {
  waitForIdle(): Promise<void>;
  newSession(options?: object): Promise<{ cancelled: boolean }>;
  fork(entryId: string): Promise<{ cancelled: boolean }>;
  branch(entryId: string): Promise<{ cancelled: boolean }>;
  navigateTree(targetId: string, options?: object): Promise<{ cancelled: boolean }>;
  switchSession(sessionPath: string): Promise<{ cancelled: boolean }>;
  reload(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: members that change with each release have no effect
  [member: string]: any;
}

/** The argument of a hook of oh-my-pi. */
export type HookAPI = ExtensionAPI;
export type ExtensionFactory = (pi: ExtensionAPI) => void | Promise<void>;

export interface TextContent {
  type: "text";
  text: string;
}

export interface ImageContent {
  type: "image";
  data: string;
  mimeType: string;
}

/** Emitted before a call. Changing `input` in place changes the call. */
export interface ToolCallEvent {
  type: "tool_call";
  toolCallId: string;
  toolName: string;
  // biome-ignore lint/suspicious/noExplicitAny: the arguments of any tool
  input: Record<string, any>;
}

export interface ToolCallEventResult {
  block?: boolean;
  /** The text that the model reads if the call is blocked. */
  reason?: string;
  input?: Record<string, unknown>;
}

/** Emitted after a call. Fields that a handler returns replace those of the result. */
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
