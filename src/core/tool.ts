import type { Card } from "./card.ts";
import type { ToolErrorCode } from "./error.ts";
import type { Update } from "./events.ts";
import type { RenderView } from "./render.ts";
import type { Content, Truncated } from "./result.ts";
import type { JsonSchema, Schema } from "./schema.ts";
import type { SessionEvent, SessionSnapshot } from "./session.ts";
import type { Source } from "./source.ts";

export type { Source } from "./source.ts";

export type PlaceKind = "project" | "global" | "configured" | "package" | "code";
/** The system whose folder contains the file: a hint at the form of the file. */
export type System =
  | "toolwright"
  | "atomic"
  | "opencode"
  | "omp"
  | "pi"
  | "claude"
  | "codex"
  | "roo"
  | "amp"
  | "copilot"
  | "openclaw"
  | "xmcp"
  | "aynd"
  | "qraftbox";
export type Format =
  | "tool"
  | "factory"
  | "define"
  | "json"
  | "pi-extension"
  | "opencode-plugin"
  | "openclaw-plugin"
  | "sdk"
  | "ai-sdk"
  | "mastra"
  | "langchain"
  | "openai-agents"
  | "anthropic"
  | "llamaindex"
  | "strands"
  | "voltagent"
  | "tanstack-ai"
  | "agentkit"
  | "adk"
  | "roo"
  | "amp-plugin"
  | "mcp-module"
  | "xmcp"
  | "mcp";

/** The source of a tool. `file` and `exportName` identify the tool across reloads. */
export interface Origin {
  readonly source: Source;
  readonly place: PlaceKind;
  readonly format: Format;
  readonly file?: string;
  readonly exportName?: string;
  readonly pluginName?: string;
  readonly pluginVersion?: string;
}

/** Which end of a truncated output is kept. */
export type Keep = "head" | "tail" | "both";

/** The limits of one call. Omitted limits come from the settings. */
export interface Limits {
  readonly timeoutMs?: number;
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly keep?: Keep;
  /** Limits of this tool only, by name. The settings can change them under the same names. */
  readonly own?: Readonly<Record<string, number>>;
}

/** The limits of a call, with all defaults applied. */
export type CallLimits = Required<Limits>;

/** Advice for clients. Has no effect on permissions. */
export interface Hints {
  readonly title?: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
  /** How calls are shown to people in the chat and on the page. By default, their data is shown. */
  readonly card?: Card;
}

/** A file, command or URL that a call accesses. Paths are absolute. */
export interface DeclaredAccess {
  readonly kind: "read" | "write" | "execute" | "network";
  /** The path, the command or the URL. */
  readonly target: string;
  /**
   * Requires a specific permission for a URL, or a path outside the project: a rule must name the target, or the user must
   * allow this access.
   */
  readonly named?: boolean;
}

/** One access of a call. "undeclared" means unknown, not none. */
export type Access = DeclaredAccess | "undeclared";

/** A question of a running tool to the user. */
export interface AskRequest {
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly always?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** JSON state of a session. All tools share it, so prefix keys with the name of the tool. */
export interface SessionState {
  /** Resolves to undefined if the key has no value. */
  get(key: string): Promise<unknown>;
  /** `undefined` deletes the key. */
  set(key: string, value: unknown): Promise<void>;
}

/** A task for another agent. */
export interface Delegation {
  /** A short title. */
  readonly description: string;
  readonly prompt: string;
  /** The type of the agent. */
  readonly agent: string;
  /** Continues the session of an earlier delegation. */
  readonly sessionID?: string;
}

/** The result of a delegation. */
export interface Delegated {
  readonly sessionID: string;
  readonly output: string;
}

/** The type of the data of a progress report. */
export type Metadata = Readonly<Record<string, unknown>>;

/** The context of a call, passed to `execute`. `M` is the type of its metadata. */
export interface ToolContext<M extends Metadata = Record<string, unknown>> {
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
  /** The working directory of the call. Resolve relative paths against it, not against `process.cwd()`. */
  readonly directory: string;
  /** The root of the repository that contains `directory`, else `directory`. */
  readonly worktree: string;
  /** Aborted when the call is cancelled or reaches its time limit. */
  readonly abort: AbortSignal;
  /** Shows progress while the tool runs. */
  metadata(update: { title?: string; metadata?: M }): void;
  /**
   * Appends to the output and shows it as progress. The return value of `execute` follows it. Only the part that a model is
   * shown stays in memory; the full output is on disk.
   */
  write(text: string): void;
  /** Asks the user. Rejects if the user refuses. */
  ask(request: AskRequest): Promise<void>;
  /**
   * Requests permission for an access that `access` did not declare. The rules decide, and ask the user if needed. Rejects
   * if it is denied.
   */
  permit(access: DeclaredAccess): Promise<void>;
  /** Which of these the rules allow. Does not ask the user. */
  permitted(access: readonly DeclaredAccess[]): Promise<readonly boolean[]>;
  /** Whether the rules allow reading everything below a folder of the project. If false, use `permitted` for each path. */
  permittedBelow(folder: string): Promise<boolean>;
  readonly state: SessionState;
  /** The limits of this call: those of the definition, changed by the settings. */
  readonly limits: CallLimits;
  /** Delegates a task to another agent and waits for it. Shows its progress as progress of this call. Rejects if no agent is available. */
  delegate(work: Delegation): Promise<Delegated>;
  readonly extra: Readonly<Record<string, unknown>>;
  /** The messages of the session; empty if the calling agent does not send them. */
  readonly messages: readonly unknown[];
}

/** The result of a built-in tool that a running tool has called, as plain data. */
export type InnerResult = {
  readonly content: readonly Content[];
  readonly data?: unknown;
  readonly truncated?: Truncated;
} & ({ readonly ok: true } | { readonly ok: false; readonly code: ToolErrorCode; readonly message: string });

/** How a running tool follows and cancels its call of a built-in tool. */
export interface InnerCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onUpdate?: ((update: Update) => void) | undefined;
}

/** A call, for the readers in `formats`. */
export interface CallContext {
  /** All that tools of the form `tool` receive. */
  readonly author: ToolContext;
  readonly session: SessionSnapshot;
  /** Shows a partial result, in any form that a result may have. */
  partial(result: unknown): void;
  /**
   * Calls a built-in tool on behalf of this call: with its session, agents, rules and hooks. It ends at the latest with this
   * call. Rejects if there is no such built-in tool, or too many of these calls are open.
   */
  callBuiltin(tool: string, input: unknown, options?: InnerCallOptions): Promise<InnerResult>;
}

/** The return value of a tool. The pipeline converts it to content. */
export type ToolReturn = unknown;

/** A tool as models and clients are shown it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The schema of the data of its results, if the author declares it. */
  readonly outputSchema?: JsonSchema;
}

/** Which agents are offered a tool. */
export interface ToolAudience {
  /** False for a tool that sub-agents are not offered. */
  readonly subagents?: boolean;
  /** True for a tool that delegates to sub-agents: its description is followed by a list of them. */
  readonly delegates?: boolean;
  /** Wildcards for the providers and models that are offered the tool: `anthropic`, `openai/gpt-*`. Default: all. */
  readonly providers?: readonly string[];
}

/** A tool, independent of the form it was written in. */
export interface Tool<I = unknown> extends Pick<ShownTool, "name" | "description">, ToolAudience {
  readonly input: Schema<I>;
  /** The schema of `data` in its results. Without it, `data` is not checked. */
  readonly output?: Schema;
  readonly origin: Origin;
  readonly limits: Limits;
  readonly hints: Hints;
  /** Without it, a call is "undeclared". An error refuses the call. */
  access?(input: I, at: { cwd: string }): readonly Access[];
  /** A rejection fails the call with the message of the error. */
  run(input: I, context: CallContext): Promise<ToolReturn>;
  /** The tool as its author defines it for one agent: its `input`, `access` and `run`. Rejects if the definition fails. */
  forAgent?(agent: string): Promise<Pick<Tool, "input" | "access" | "run">>;
  /** The author's function that `run` calls, for advice about it. */
  readonly authorFunction?: (...args: never[]) => unknown;
  /** Lines for a terminal; undefined if the author renders nothing. After an error, plain text is shown. */
  render?(view: RenderView): Promise<readonly string[] | undefined>;
  /** Receives session events one after another. A rejection is logged. */
  onSession?(event: SessionEvent, session: SessionSnapshot): Promise<void>;
}

/** Names are checked, never changed: the author would not find the tool under a changed name. */
export const TOOL_NAME: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;
