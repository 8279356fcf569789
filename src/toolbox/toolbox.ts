import type { Environment, GlobalLimits, Homes, Isolation } from "../config/options.ts";
import type { SettingsWarning } from "../config/read-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { About } from "../core/about.ts";
import type { ToolEvent } from "../core/events.ts";
import type { Log } from "../core/log.ts";
import type { Problem } from "../core/problem.ts";
import type { RenderView } from "../core/render.ts";
import type { SessionAction, SessionEvent, SessionSnapshot } from "../core/session.ts";
import type { Blocked } from "../discovery/discover.ts";
import type { CallRequest, Run } from "../pipeline/call.ts";
import type { CodeHooks } from "../pipeline/code-hooks.ts";
import type { Explained } from "../pipeline/explain-call.ts";
import type { Approver } from "../pipeline/question.ts";
import type { HostCount } from "../protocol/hosts.ts";
import type { Shadowed, ToolInfo } from "../registry/entry.ts";
import type { CodeTools } from "./code-tools.ts";
import type { SubAgents } from "./delegations.ts";
import type { Builtins } from "./wanted-builtins.ts";

/** How a toolbox is made. Everything has a default; tests and embedders set what they must. */
export interface ToolboxOptions {
  /** Where to look from; by default the current directory. */
  readonly cwd?: string;
  readonly env?: Environment;
  /** More places, highest priority of all; relative ones start at the project. */
  readonly toolsPaths?: readonly string[];
  /** Trusts the project for as long as this toolbox lives. */
  readonly trust?: boolean;
  /** Puts questions to a person. Without it, whatever must be asked is refused. */
  readonly approve?: Approver;
  /**
   * Whether whoever makes the calls has already been asked: then what no rule speaks of is allowed. True by default,
   * since a program that calls a tool means to; set it to false where a model decides and `approve` is to be asked.
   */
  readonly callerIsAsked?: boolean;
  /** Functions that have a say in every call, around the hooks of settings and of tool files. */
  readonly hooks?: CodeHooks;
  readonly isolation?: Isolation;
  readonly limits?: Partial<GlobalLimits>;
  /**
   * Tools as values, of any form: a list of those that have names of their own, or an object with a name for each.
   * They come first, no setting disables them, and they run in this process.
   */
  readonly tools?: CodeTools;
  /** Which built-in tools are served: all (unless `onlyGiven`), none, or those that are named (with wildcards). */
  readonly builtins?: Builtins;
  /** Who does what the tool `task` hands over. Without it there is nobody. */
  readonly agents?: SubAgents;
  /** Serves only what `tools`, `toolsPaths` and `builtins` name. */
  readonly onlyGiven?: boolean;
  /**
   * How long tool files are waited for when they are read. Those that take longer are served when they are done, which
   * the event "change" tells; until then they are a problem. By default each is waited for, as long as `limits.importMs` lets it.
   */
  readonly waitMs?: number;
  /** Imports none but these files. Of the others, what is remembered from an earlier import is served. */
  readonly onlyFiles?: readonly string[];
  /** Begins with `verify()`: loads every file, whatever the cache says, and checks every schema. */
  readonly verify?: boolean;
}

/** One file that was looked at: what it was taken for, and what came of it. */
export interface FileInfo {
  readonly file: string;
  readonly tools: readonly string[];
  readonly about?: About;
  readonly runtime?: "bun";
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

/** A user interface that tools may call: dialogs, notifications, status lines. Methods that it lacks are no-ops. */
export type UIContext = Readonly<Record<string, unknown>>;

/** What a terminal wants drawn of a tool. */
export type DrawRequest = RenderView & { readonly name: string };

/** What a reload found. */
export interface Report {
  readonly tools: number;
  readonly problems: readonly Problem[];
}

/** How a session begins. */
export interface SessionStart extends Omit<SessionSnapshot, "id"> {
  readonly resumed?: boolean;
}

/** The project of a toolbox, as it was last read. */
export interface ProjectInfo {
  /** The directory that the toolbox was opened for. */
  readonly directory: string;
  readonly root: string;
  readonly trusted: boolean;
  /** The user's folders. */
  readonly homes: Homes;
  /** The settings in force. */
  readonly settings: Settings;
}

/** What a toolbox knows beside its tools. Each property is computed when it is read. */
export interface ToolboxStatus {
  /** Every tool file that was found, highest priority first. */
  readonly files: readonly FileInfo[];
  /** Files and MCP servers that are still being read. Their tools are missing from lists. */
  readonly loading: readonly string[];
  /** Tools whose name is taken by a tool of higher priority. */
  readonly shadowed: readonly Shadowed[];
  /** Files that are not loaded because the project is not trusted. */
  readonly blocked: readonly Blocked[];
  readonly warnings: readonly SettingsWarning[];
  /** The host processes, by kind. */
  readonly hosts: readonly HostCount[];
}

/** What `on` listeners receive. */
export interface ToolboxEvents {
  /** Tools or problems have changed. */
  readonly change: undefined;
  /** A tool call has started, progressed or ended. */
  readonly call: ToolEvent;
  /** A tool has printed text. `source` says which call and which file, where that is known. */
  readonly log: { readonly text: string; readonly source: Parameters<Log>[1] };
  /** A tool file acts on a session: it sends a message, stores an entry, asks to stop. */
  readonly session: { readonly sessionID: string; readonly action: SessionAction };
}

/** The sessions of a toolbox. A session exists as soon as its id is used in a call. */
export interface ToolboxSessions {
  /** Reloads, freezes the session's tools (a name keeps its meaning), and tells the files that follow sessions. */
  start(sessionID: string, session?: SessionStart): Promise<Report>;
  /** Tells the files that follow sessions about an event. Never rejects. */
  tell(sessionID: string, event: SessionEvent, session?: Omit<SessionSnapshot, "id">): Promise<void>;
}

/** The whole product, as a surface sees it. */
export interface Toolbox extends AsyncDisposable {
  readonly project: ProjectInfo;
  /** Sorted by name. Without an agent or a provider, disabled tools are listed too, and marked. */
  list(view?: View): readonly ToolInfo[];
  get(name: string): ToolInfo | undefined;
  has(name: string): boolean;
  readonly count: number;
  /** Like `get`, but waits for files that are still being read, and retries a failed file that may hold the tool. */
  find(name: string): Promise<ToolInfo | undefined>;
  /** What is wrong with tool files: a broken file is an entry here. */
  problems(): readonly Problem[];
  readonly status: ToolboxStatus;
  /**
   * Resolves after the first reading of all files, or after `waitMs`; undefined if that is over. With a name, resolves as
   * soon as that tool is known, and waits longer only for files whose name suggests that they define it. Never rejects.
   */
  ready(name?: string): Promise<void> | undefined;
  call(request: CallRequest): Run;
  /** What the permission rules would decide about a call, and why. Makes no call and asks no person. Never rejects. */
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
  /** Sets the user interface that tool files reach (`hasUI`, dialogs, notifications); undefined removes it. */
  setUIContext(ui: UIContext | undefined): void;
  /** The lines that a tool's author draws for a call or a result; undefined if the author draws none. */
  render(request: DrawRequest): Promise<readonly string[] | undefined>;
  close(): Promise<void>;
}
