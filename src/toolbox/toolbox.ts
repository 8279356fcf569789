import type { CallRequest, Run } from "../calls/call.ts";
import type { CodeHooks } from "../calls/code-hooks.ts";
import type { Explained } from "../calls/explanation.ts";
import type { Approver } from "../calls/permission-question.ts";
import type { AuditEvent } from "../calls/recorder.ts";
import type { CatalogOptions, CodeTools, GivenPath, ProjectInfo, Report, ToolboxStatus } from "../catalog/catalog.ts";
import type { ToolInfo } from "../catalog/registry/registry-entry.ts";
import type { AgentSource } from "../core/coding-agent.ts";
import type { ToolError } from "../core/error.ts";
import type { ToolEvent } from "../core/events.ts";
import type { CommandDeclaration } from "../core/file-command.ts";
import type { Log } from "../core/log.ts";
import type { ModeName } from "../core/permission-mode.ts";
import type { Problem } from "../core/problem.ts";
import type { QuestionAnswer, QuestionAskedEvent, QuestionEvent } from "../core/question.ts";
import type { RenderView } from "../core/render.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { SessionInfo } from "../core/session-log.ts";
import type { SessionStore } from "../core/session-store.ts";
import type { OpenSession, SessionChoices } from "../sessions/sessions.ts";
import type { Prompt, SendOptions, Turn } from "../sessions/turn.ts";
import type { QueuePlace } from "../sessions/turn-slots.ts";
import type { Environment, GlobalLimits, Isolation } from "../settings/defaults.ts";
import type { Rule } from "../settings/permissions/rule.ts";
import type { SubAgents } from "./sub-agents.ts";

export type { CodeTools, FileInfo, ProjectInfo, Report, ToolboxStatus } from "../catalog/catalog.ts";
export type { CustomView } from "../core/custom-view.ts";
export type { OpenSession } from "../sessions/sessions.ts";
export type { Prompt, SendOptions, Turn, TurnError, TurnResult } from "../sessions/turn.ts";

/** Options of `createToolbox`. All are optional. */
export interface ToolboxOptions extends CatalogOptions {
  /** The directory to serve the tools of; by default the current directory. */
  readonly cwd?: string;
  readonly env?: Environment;
  /** Additional folders and files with tools. They have the highest priority. Relative paths start at `cwd`. */
  readonly toolsPaths?: readonly GivenPath[];
  /** Trusts the project until this toolbox is closed. */
  readonly trust?: boolean;
  /**
   * Asks a person about calls that need permission. Without it, these calls are refused, unless their questions can be answered
   * with `sessions.answer`: see `CallRequest.answerable`.
   */
  readonly approve?: Approver;
  /**
   * Whether calls that no rule covers are allowed without a question. True by default, since a program decides itself
   * what it calls. Set it to false if a model decides, so that `approve` is asked.
   */
  readonly callerIsAsked?: boolean;
  /** Rules and a mode for this toolbox only: they count as the last ones of the user's settings. A project can still tighten them. */
  readonly permissions?: RunPermissions;
  /** Functions that run before and after every call, outside the hooks of settings and of tool files. */
  readonly hooks?: CodeHooks;
  readonly isolation?: Isolation;
  readonly limits?: Partial<GlobalLimits>;
  /**
   * Tools as values, in any supported format: a list of tools that have names, or an object that names each. They have the
   * highest priority, settings cannot disable them, and they run in this process.
   */
  readonly tools?: CodeTools;
  /**
   * Where sessions that are opened with `sessions.open` are recorded: in memory (the default), in the user's database on disk,
   * which other processes share, or in a store of the program, which the toolbox does not close.
   */
  readonly sessions?: "memory" | "disk" | SessionStore;
  /** The agents that can run sessions: see `sessions.send`. `knownAgents` of `toolwright/agents` has all that we support. */
  readonly agents?: AgentSource;
  /** Runs the tasks of the tool `task`. Without it, that tool fails. */
  readonly subagents?: SubAgents;
  /** Imports every file at the start, whatever the cache says, and checks every schema. */
  readonly verify?: boolean;
}

/** The permissions of one toolbox, in addition to those of the settings files. */
export interface RunPermissions {
  /** Replaces the user's. */
  readonly mode?: ModeName;
  /** After the user's. */
  readonly rules?: readonly Rule[];
}

/** Which tools to list, and for whom. */
export interface View {
  /** The session whose active tools count; "default" if it is left out. */
  readonly sessionID?: string;
  /** Lists only what the model of this agent is shown: enabled tools that the rules do not deny entirely. "" is any agent. */
  readonly agent?: string;
  /** Lists only what is shown to models of this provider (`anthropic`), or to one model of it (`openai/gpt-5`). */
  readonly provider?: string;
}

/**
 * A user interface that tools may call: dialogs, notifications, status lines. Missing methods are no-ops. A dialog must be
 * closed when the signal in its options fires: `signal` if a call opens it, `commandSignal` if a command does. The method
 * `custom` gets a `CustomView`; `setWidget`, `setFooter` and `setHeader` get lines, also of components, or null.
 */
export type UIContext = Readonly<Record<string, unknown>>;

/** A command of a tool file. */
export interface CommandInfo extends CommandDeclaration {
  readonly file: string;
}

/** A command that a person runs in a session. */
export interface CommandRequest {
  readonly name: string;
  /** The text after the name. */
  readonly args: string;
  readonly sessionID: string;
  readonly signal?: AbortSignal;
}

/** How a command ended. The message of the error is for the person. */
export type CommandOutcome = { readonly ok: true } | { readonly ok: false; readonly error: ToolError };

/** A request to draw a call or a result of a tool. */
export type DrawRequest = RenderView & { readonly name: string };

/** The data of a session at its start. */
export interface SessionStart extends Omit<SessionSnapshot, "id"> {
  readonly resumed?: boolean;
}

/** The events of `Toolbox.on`, each with the value that listeners receive. */
export interface ToolboxEvents {
  /** Tools or problems have changed. */
  readonly change: undefined;
  /** A tool call has started, progressed or ended. */
  readonly call: ToolEvent;
  /** A call has started, or its end has been written to the audit log. Secrets are masked. */
  readonly audit: AuditEvent;
  /** A question about a call has been asked, or closed by an answer. */
  readonly question: QuestionEvent;
  /** A tool has printed text. `source` names the call and the file, where they are known. */
  readonly log: { readonly text: string; readonly source: Parameters<Log>[1] };
  /** A sentence of an agent for the person who uses it. */
  readonly notice: { readonly sessionID: string; readonly message: string };
  /** The turn of a session waits because too many run: its place in the queue, counted from 1; 0 when it begins. */
  readonly queue: QueuePlace;
  /** A tool file acts on a session: it sends a message, stores an entry, asks to stop. */
  readonly session: { readonly sessionID: string; readonly action: SessionAction };
}

/**
 * The sessions of a toolbox. A session exists as soon as its id is used in a call. Only sessions that were opened with `open`
 * are recorded; the state of others is lost with the toolbox.
 */
export interface ToolboxSessions {
  /**
   * Opens a session of the store, or creates it. From then on, its calls, questions and changes are recorded: a call starts,
   * and its result is returned, when that is durable. Opening it again reads what other processes have added.
   */
  open(sessionID: string, options?: OpenSession): Promise<SessionInfo>;
  /** The store of recorded sessions, to list, read, follow, branch and remove them. It is opened on first use. */
  store(): Promise<SessionStore>;
  /**
   * Sends a prompt to an agent, which runs one turn of the session. The session is opened, and created if it does not exist. A
   * model makes the calls, so calls that no rule covers are questions.
   */
  send(sessionID: string, prompt: Prompt, options?: SendOptions): Turn;
  /** The sessions whose turns wait because too many run (`agents.maxTurns`), the next one first. */
  readonly queue: readonly string[];
  /**
   * Starts an agent, by default that of the setting `agents.default`, without a session. Resolves to its name. Rejects with an
   * `AgentError` if there is no such agent, or if it is not installed.
   */
  startAgent(name?: string): Promise<string>;
  /**
   * Refuses new turns, waits for the running ones, and interrupts those that have not ended after `ms`. The next turn of their
   * sessions, in any process, resumes them.
   */
  stop(ms: number): Promise<void>;
  /** Aborts the running turn and closes the agent's session, with its processes. The next `send` resumes it. */
  detach(sessionID: string): Promise<void>;
  /**
   * Creates a session that begins with the events of another one, up to a position; by default all. Notifies the tool files that
   * follow sessions: of "branch", and of "tree" if the branch begins earlier.
   */
  branch(sessionID: string, options?: { readonly at?: number; readonly id?: string }): Promise<SessionInfo>;
  /** Notifies the tool files that follow sessions that a person has switched to this session from another one. */
  switch(sessionID: string): Promise<void>;
  /** What people have chosen for a session. Rejects with the `SessionError` "session_not_found" if there is none. */
  choices(sessionID: string): Promise<SessionChoices>;
  /** Takes back a rule that was granted for a session. Resolves to false if it has no such rule. */
  revoke(sessionID: string, rule: Rule): Promise<boolean>;
  /** Asks the process that runs a session to stop one call, or its turn and all calls. Resolves when the request is recorded. */
  cancel(sessionID: string, request?: { readonly callID?: string; readonly reason?: string }): Promise<void>;
  /** Removes a session and its events. Rejects with "owned" while this or another process runs it. */
  remove(sessionID: string): Promise<void>;
  /** Reloads, pins the session's tools (a name keeps its meaning), and notifies the tool files that follow sessions. */
  start(sessionID: string, session?: SessionStart): Promise<Report>;
  /** Notifies the tool files that follow sessions of an event. Never rejects. */
  tell(sessionID: string, event: SessionEvent, session?: Omit<SessionSnapshot, "id">): Promise<void>;
  /** Sets the user interface of one session, instead of that of the toolbox; undefined removes it. */
  setUIContext(sessionID: string, ui: UIContext | undefined): void;
  /** The open questions of this process, oldest first: those of all sessions, or of one and its sub-agents. */
  questions(sessionID?: string): readonly QuestionAskedEvent[];
  /**
   * Answers a question; the first answer counts. Resolves when it is stored and, for "always", its rules are on disk. Rejects with a
   * `SessionError`: "invalid_answer", "question_not_found", "question_closed", or "rules_not_saved": the question is then still open.
   */
  answer(questionID: string, answer: QuestionAnswer): Promise<void>;
}

/** The interface through which surfaces and programs list and call tools. */
export interface Toolbox extends AsyncDisposable {
  readonly project: ProjectInfo;
  /** Sorted by name. Without an agent or a provider, disabled tools are listed too, and marked. */
  list(view?: View): readonly ToolInfo[];
  get(name: string): ToolInfo | undefined;
  has(name: string): boolean;
  readonly count: number;
  /** Like `get`, but waits for files that are still being read, and retries a failed file that may hold the tool. */
  find(name: string): Promise<ToolInfo | undefined>;
  /** The problems with tool files, such as a file that cannot be imported. */
  problems(): readonly Problem[];
  readonly status: ToolboxStatus;
  /**
   * Resolves after the first reading of all files, or after `waitMs`; undefined if that is over. With a name, resolves as
   * soon as that tool is known, and waits longer only for files whose name suggests that they define it. Never rejects.
   */
  ready(name?: string): Promise<void> | undefined;
  /**
   * Like `ready()`, but resolves after `ms` at the latest. Files that are then still being read are listed with the tools that
   * they had when they were last read by any process, and the event "change" reports the difference. Calls of these tools wait.
   */
  listable(ms: number): Promise<void> | undefined;
  call(request: CallRequest): Run;
  /** The commands that tool files register for people, highest priority first. A name that is taken gets a number: `name:2`. */
  commands(): readonly CommandInfo[];
  /**
   * Runs a command until it ends or is aborted: it has no time limit. Its dialogs go to the user interface of the session. Never
   * rejects.
   */
  runCommand(request: CommandRequest): Promise<CommandOutcome>;
  /** Explains the decision of the permission rules on a call. Makes no call and asks no person. Never rejects. */
  explain(request: CallRequest): Promise<Explained>;
  /**
   * Reads new, changed, removed and failed files. With `verify`, imports every file, whatever the cache says, and checks
   * every schema. Never rejects.
   */
  reload(options?: { readonly verify?: boolean }): Promise<Report>;
  /** Reloads after every change on disk. Resolves to a function that stops watching. */
  watch(): Promise<() => Promise<void>>;
  /** Calls the listener for each event. Returns a function that removes it. */
  on<E extends keyof ToolboxEvents>(event: E, listener: (payload: ToolboxEvents[E]) => void): () => void;
  readonly sessions: ToolboxSessions;
  /**
   * Sets the user interface that tool files reach (`hasUI`, dialogs, notifications) in sessions without one of their own;
   * undefined removes it.
   */
  setUIContext(ui: UIContext | undefined): void;
  /** The lines that a tool's author draws for a call or a result; undefined if the author draws none. */
  render(request: DrawRequest): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}
