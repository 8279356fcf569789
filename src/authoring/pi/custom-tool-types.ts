import type { SessionEvent } from "../../core/session.ts";
import type {
  AgentToolResult,
  AgentToolUpdateCallback,
  ExecOptions,
  ExecResult,
  ExtensionContext,
  ExtensionUIContext,
  Static,
  ToolBase,
  ToolRenderResultOptions,
  TSchema,
} from "./extension-types.ts";
import type { Logger } from "./logger.ts";
import type { Theme } from "./theme.ts";

interface Component {
  render(width: number): string[];
}

export interface CustomToolPendingAction {
  label: string;
  apply(reason: string): Promise<unknown>;
  reject?(reason: string): Promise<unknown>;
  details?: unknown;
  sourceToolName?: string;
}

/** The argument of a tool factory. */
export interface CustomToolAPI {
  cwd: string;
  exec(command: string, args: string[], options?: ExecOptions): Promise<ExecResult>;
  ui: ExtensionUIContext;
  hasUI: boolean;
  logger: Logger;
  typebox: typeof import("@sinclair/typebox");
  zod: typeof import("zod");
  pi: typeof import("./values.ts") & typeof import("@earendil-works/pi-tui");
  pushPendingAction(action: CustomToolPendingAction): void;
}

export type CustomToolContext = Pick<
  ExtensionContext,
  "sessionManager" | "modelRegistry" | "model" | "isIdle" | "hasQueuedMessages" | "abort"
>;
export type CustomToolSessionEvent = SessionEvent;

/** The tool that a factory returns. */
export interface CustomTool<S extends TSchema = TSchema, D = unknown> extends ToolBase<S> {
  deferrable?: boolean;
  execute(
    toolCallId: string,
    params: Static<S>,
    onUpdate: AgentToolUpdateCallback<D> | undefined,
    ctx: CustomToolContext,
    signal?: AbortSignal,
  ): Promise<AgentToolResult<D>>;
  onSession?(event: CustomToolSessionEvent, ctx: CustomToolContext): void | Promise<void>;
  renderCall?(args: Static<S>, options: ToolRenderResultOptions & Theme, theme: Theme): Component;
  renderResult?(
    result: AgentToolResult<D>,
    options: ToolRenderResultOptions,
    theme: Theme,
    args?: Static<S>,
  ): Component;
}

// biome-ignore lint/suspicious/noExplicitAny: each tool of a list has different arguments
type AnyTool = CustomTool<any, any>;
export type CustomToolFactory = (pi: CustomToolAPI) => AnyTool | AnyTool[] | Promise<AnyTool | AnyTool[]>;
