import type { RenderView } from "./render.ts";
import type { Schema } from "./schema.ts";
import type { SessionEvent, SessionSnapshot } from "./session.ts";

export type Source = "builtin" | "custom" | "plugin" | "mcp";
export type PlaceKind = "project" | "global" | "configured" | "package" | "code";
/** The system whose folder a file was found in: a hint at the form of the file. */
export type System = "toolwright" | "atomic" | "opencode" | "omp" | "pi" | "claude" | "codex" | "aynd" | "qraftbox";
export type Format =
  | "tool"
  | "factory"
  | "define"
  | "json"
  | "pi-extension"
  | "opencode-plugin"
  | "sdk"
  | "ai-sdk"
  | "mastra"
  | "langchain"
  | "openai-agents"
  | "mcp";

/** Where a tool comes from. `file` and `exportName` together are its identity over reloads. */
export interface Origin {
  readonly source: Source;
  readonly place: PlaceKind;
  readonly format: Format;
  readonly file?: string;
  readonly exportName?: string;
  readonly pluginName?: string;
  readonly pluginVersion?: string;
}

/** Which end of an output survives when it is cut. */
export type Keep = "head" | "tail" | "both";

/** The bounds of one call. What a tool leaves out is filled in from the settings. */
export interface Limits {
  readonly timeoutMs?: number;
  readonly maxLines?: number;
  readonly maxBytes?: number;
  readonly keep?: Keep;
  /** Numbers that mean something to this tool alone, each by the name under which the settings may change it. */
  readonly own?: Readonly<Record<string, number>>;
}

/** The bounds that are in force for a call. */
export type CallLimits = Required<Limits>;

/** Advice for clients, never a permission. */
export interface Hints {
  readonly title?: string;
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** One thing that a call touches. Paths are absolute. */
export interface DeclaredAccess {
  readonly kind: "read" | "write" | "execute" | "network";
  /** The path, the command or the URL. */
  readonly target: string;
  /**
   * Set where a general yes is not enough: what lies outside the project, or an address, is then touched only if a rule
   * names it or a person has said yes to just this.
   */
  readonly named?: boolean;
}

/** What a call touches; "undeclared" when the author said nothing, which is not the same as nothing. */
export type Access = DeclaredAccess | "undeclared";

/** What a tool may ask a person for while it runs. */
export interface AskRequest {
  readonly permission: string;
  readonly patterns: readonly string[];
  readonly always?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What tools keep for the session they are called in, as JSON. Tools share it: a key says whose it is. */
export interface SessionState {
  /** Undefined where nothing has been kept. */
  get(key: string): Promise<unknown>;
  /** Undefined takes it away. */
  set(key: string, value: unknown): Promise<void>;
}

/** Work that is handed to another agent. */
export interface Delegation {
  /** A few words on what it is for. */
  readonly description: string;
  readonly prompt: string;
  /** Which kind of agent is to do it. */
  readonly agent: string;
  /** Goes on with the session of an earlier one. */
  readonly sessionID?: string;
}

/** What came of it. */
export interface Delegated {
  readonly sessionID: string;
  readonly output: string;
}

/** What a tool knows of the call it is in. */
export interface ToolContext {
  readonly sessionID: string;
  readonly messageID: string;
  readonly callID: string;
  readonly agent: string;
  /** The directory the call is about: resolve relative paths against it, not against `process.cwd()`. */
  readonly directory: string;
  /** The root of the repository that `directory` is in, else `directory`. */
  readonly worktree: string;
  /** Fires when the call is cancelled and when its time is over. */
  readonly abort: AbortSignal;
  /** Shows progress while the tool runs. */
  metadata(update: { title?: string; metadata?: Record<string, unknown> }): void;
  /**
   * Adds to the output as it comes, and shows it as progress. What `execute` returns follows it. However much is written,
   * only what a model is shown is held; the whole is on disk.
   */
  write(text: string): void;
  /** Asks the user; rejects when refused. */
  ask(request: AskRequest): Promise<void>;
  /**
   * For what a call turns out to touch beyond what `access` has declared: the rules decide about it, and, if need be, a
   * person. Rejects when it is refused.
   */
  permit(access: DeclaredAccess): Promise<void>;
  /** Which of these the rules allow. Nobody is asked. */
  permitted(access: readonly DeclaredAccess[]): Promise<readonly boolean[]>;
  readonly state: SessionState;
  /** The bounds of this call: those of the definition, changed by the settings. */
  readonly limits: CallLimits;
  /** Hands work to another agent and waits for it; its progress is this call's. Rejects where there is none. */
  delegate(work: Delegation): Promise<Delegated>;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What the code that adapts an author's form has beside that: authors of the form `tool` see only a `ToolContext`. */
export interface CallContext extends ToolContext {
  readonly session: SessionSnapshot;
  /** Shows a partial result, in any of the forms that a result may have. */
  partial(result: unknown): void;
}

/** Anything a tool may return; the pipeline turns it into content. */
export type ToolReturn = unknown;

/** A tool, whichever form it was written in. */
export interface Tool<I = unknown> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema<I>;
  /** What the data of its results is, of whichever type. Absent when the author declared nothing: it is then not checked. */
  readonly output?: Schema;
  readonly origin: Origin;
  readonly limits: Limits;
  readonly hints: Hints;
  /** False for a tool that is not offered to the agents which other agents hand work to. */
  readonly subagents?: boolean;
  /** The providers and models that it is for, as wildcards: `anthropic`, `openai/gpt-*`. All where it says nothing. */
  readonly providers?: readonly string[];
  /** Absent when the author declared nothing: the call is then "undeclared". May throw; that refuses the call. */
  access?(input: I, at: { cwd: string }): readonly Access[];
  /** Rejecting fails the call with the message of what was thrown. */
  run(input: I, context: CallContext): Promise<ToolReturn>;
  /** Lines for a terminal; undefined where the author draws nothing for this. May throw: plain text is shown then. */
  render?(view: RenderView): Promise<readonly string[] | undefined>;
  /** Told of every event of a session, one after another. May reject: that is logged. */
  onSession?(event: SessionEvent, session: SessionSnapshot): Promise<void>;
}

/** What names may look like. Checked, never mended: a silent change would hide a tool from its author. */
export const TOOL_NAME: RegExp = /^[a-zA-Z0-9_-]{1,64}$/;
