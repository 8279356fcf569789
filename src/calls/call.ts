import type { StartOptions } from "../catalog/discovery/start-options.ts";
import type { RegistryEntry, ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { Caller } from "../core/caller.ts";
import type { Update } from "../core/events.ts";
import type { DialogDetails, QuestionEvent, RunEvent } from "../core/question.ts";
import type { ToolResult } from "../core/result.ts";
import type { SessionSnapshot } from "../core/session.ts";
import type { DurableEvent } from "../core/session-log.ts";
import type { Access, Delegated, Delegation, Limits } from "../core/tool.ts";
import type { FileRef } from "../host/protocol/hosts.ts";
import type { ContextData, OutputOptions, UiRequest } from "../host/protocol/messages.ts";
import type { Mode, Rule } from "../settings/permissions/rule.ts";
import type { Settings } from "../settings/settings.ts";
import type { Clock } from "./clock.ts";
import type { CodeHooks } from "./code-hooks.ts";
import type { QuestionOutcome } from "./question-outcome.ts";

/** The limits of a call. `own` holds those that only this tool has. */
export interface CallLimits extends Pick<Limits, "own"> {
  readonly timeoutMs: number;
  readonly output: OutputOptions;
}

/** A request to call a tool. Only the name is required. */
export interface CallRequest {
  readonly name: string;
  readonly input?: unknown;
  /** Calls of one session share its permissions, outputs folder and pinned tools. */
  readonly sessionID?: string;
  readonly messageID?: string;
  readonly callID?: string;
  readonly agent?: string;
  /** How the call is made, for the audit log; "library" by default. */
  readonly caller?: Caller;
  /** The working directory of the call; by default that of the toolbox. */
  readonly directory?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The data of the session beyond its id, as plain JSON. Tool files of some systems read it. */
  readonly session?: Omit<SessionSnapshot, "id">;
  /** Whether the caller has already asked its user: overrides the option of the toolbox and of the session. */
  readonly callerIsAsked?: boolean;
  /** The caller shows questions about this call to a person, and answers them with `sessions.answer`. */
  readonly answerable?: boolean;
  /** Whether the caller has this tool; by default all. A call of another one fails, as if it did not exist. */
  readonly has?: (tool: ToolInfo) => boolean;
  /** The tool to call, instead of the served one of this name. */
  readonly entry?: RegistryEntry;
  /** Aborts the call when it fires. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A call in progress, as the steps see it. */
export interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly entry: RegistryEntry;
  readonly context: ContextData;
  readonly scope: CallScope;
  /** What the call touches: `undeclared` until the tool has validated the input. */
  readonly access: readonly Access[];
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly limits: CallLimits;
  readonly update: (update: Update) => void;
  readonly caller: Caller;
  /** The call of the tool that made this call. */
  readonly parentID: string | undefined;
  /** Shows a question about this call, or about a call that it makes, to the readers of its run. */
  readonly emit: (event: QuestionEvent) => void;
  /** Functions to run when the call is over, however it ended. */
  readonly atEnd: (() => void)[];
}

/** The part of a call that a question to a person needs. */
export type AskingCall = Pick<
  Call,
  "name" | "input" | "context" | "scope" | "access" | "signal" | "parentID" | "emit" | "atEnd"
>;

/** The settings, agents, session and hooks of one call, collected when it begins. */
export interface CallScope {
  /**
   * The settings when the call began: a reload during the call does not change its limits or hooks. Permission rules are
   * the exception. Each decision reads the current ones, because an answer to another question may have added a rule.
   */
  readonly settings: Settings;
  /** Whether the caller has already asked its user. If so, a call that no rule matches is allowed. */
  readonly callerIsAsked: boolean;
  /** Whether a person can answer questions about this call with `sessions.answer`. */
  readonly answerable: boolean;
  /** Whether dialogs of tool files can be answered: by the user interface of the session, or with `sessions.answer`. */
  readonly hasUI: boolean;
  /** Whether the user interface of the session shows components of tool files. */
  readonly hasViews?: boolean;
  readonly agents: CallAgents;
  readonly session: CallSession;
  readonly hooks: ActiveHooks;
}

/** The agents on whose behalf a call is made. */
export interface CallAgents {
  /** The calling agent first, then each agent that delegated to the one before it. The rules for all of them apply. */
  readonly names: readonly string[];
  /** The rules that people have granted, up to now, to the sessions of these agents. */
  granted(): readonly Rule[];
  /** The strictest mode of the session and of those that wait for it. It replaces the user's, which counts if it is undefined. */
  mode(): Mode | undefined;
  /** Earlier rules that still deny calls of a sub-agent: see `DecideRequest`. */
  denials(): readonly (readonly Rule[])[];
  /** Grants rules to the session of the calling agent. Rejects if they could not be stored. */
  grant(rules: readonly Rule[]): Promise<void> | undefined;
  /** Runs a task in a sub-agent. May reject; the message is for the model. */
  delegate(call: Call, work: Delegation): Promise<Delegated>;
}

/** The session of a call. */
export interface CallSession {
  readonly id: string;
  /** The data of the session from the caller, with the changes of earlier calls; undefined if there is neither. */
  readonly snapshot: SessionSnapshot | undefined;
  /** A value that a tool stored for the session. */
  get(key: string): unknown;
  /** Stores a value for the session; undefined removes it. */
  set(key: string, value: unknown): Promise<void> | undefined;
  /** Adds an event to the session. Returns undefined if there is nothing to wait for. Rejects if it could not be stored. */
  record(event: DurableEvent): Promise<void> | undefined;
  /** Calls the user interface of the session. A dialog is a question, and pauses the clock of the call. Must not reject. */
  ui(request: UiRequest, call: Call): Promise<unknown>;
  /** Opens a dialog for a call that the pipeline does not run. Never rejects. */
  ask(request: { readonly title: string; readonly dialog: DialogDetails }, call: AskingCall): Promise<QuestionOutcome>;
  /** Attributes dialogs that hooks open to this call. Returns a function that ends this. */
  followDialogs(call: Call): () => void;
}

/** The hooks that apply to a call, in addition to those in its settings. */
export interface ActiveHooks {
  readonly code: CodeHooks | undefined;
  /** Hook files as currently loaded, in the order in which they are asked. A reload replaces their references. */
  files(): readonly HookFile[];
  /** Starts a hook command with the options that it gets. It ends with the toolbox. */
  start<T>(work: (options: StartOptions) => Promise<T>): Promise<T>;
}

/** A tool file with hooks for the calls of all tools. */
export interface HookFile {
  readonly ref: FileRef;
  readonly hooks: readonly ("before" | "after")[];
}

/** One stage of the pipeline: refuse, change the call, or change the result. Must not reject. */
export type Step = (call: Call, next: (call: Call) => Promise<ToolResult>) => Promise<ToolResult>;

/**
 * A call in progress. Iterate it for its events, await `result` for its end. Several readers can iterate it at once, and each
 * gets every event, also one that begins late or after the end. The start, the end and open questions are never dropped. Of the
 * updates and of the answered questions, the newest 1,000 each, with together about 8 million characters, are retained for
 * readers that have not read them yet.
 */
export interface Run extends AsyncIterable<RunEvent> {
  readonly callID: string;
  /** Never rejects. */
  readonly result: Promise<ToolResult>;
  /** May be called at any time and more than once. */
  abort(): void;
}
