import type { AgentContext, AgentSessionOptions } from "../../core/coding-agent.ts";
import type { ClientLimits } from "../../fitting/client-limits.ts";
import type { SessionServer } from "../../mcp/session-server.ts";
import type { McpServerEntry, TextChunk, ToolCallFields } from "./acp-sdk.ts";

/** What is known of an agent that speaks ACP. */
export interface AcpProgram {
  /** Its program, and how it is installed. Without it, the command is in the user's settings. */
  readonly program?: {
    readonly programs: readonly string[];
    readonly args?: readonly string[];
    readonly install: string;
  };
  /** Built-in tools of ours that the agent lacks. */
  readonly builtins?: readonly string[];
  /** The restrictions for names and schemas of our tools. Without it, those of the MCP client that lists them. */
  readonly limits?: ClientLimits;
  /** The name of our MCP server in the agent. */
  readonly server: string;
  /** How a session is continued. Without it, sessions of the agent cannot be continued. */
  readonly resumesWith?: "session/load" | "session/resume";
  /** How the program is started for one session. Rejects with "unsupported" if it cannot take an option. */
  prepare(start: AcpStart): Promise<Prepared>;
  /**
   * The tool of ours that a call means: its name as it was listed, and its input as far as the agent tells it. It must depend on
   * fields that the agent itself sets, never only on text that a model or a tool can choose.
   */
  ourTool(call: ToolCallFields): { readonly listed: string; readonly input?: unknown } | undefined;
  /** The agent's name for one of its own tools. */
  toolName(call: ToolCallFields): string;
  /** Whether a text is one of the agent's program, not of the model. */
  isNotice?(text: TextChunk): boolean;
}

export interface AcpStart {
  readonly options: AgentSessionOptions;
  readonly context: AgentContext;
  readonly server: SessionServer;
}

export interface Prepared {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly servers: readonly McpServerEntry[];
  /** The model, if it is set after the session is open. */
  readonly model?: string;
  /** Text before the first prompt of a new session. */
  readonly preface?: string;
  /** Removes what was prepared, when the program has ended. */
  readonly remove?: () => Promise<void>;
}

/** The entry of our server for `session/new`. */
export function entryOf(name: string, { url }: SessionServer): McpServerEntry {
  return { type: "http", name, url, headers: [] };
}

/** A record of the fields of a value that may be anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
