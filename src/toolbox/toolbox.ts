import type { Environment, GlobalLimits, Homes, Isolation } from "../config/options.ts";
import type { SettingsWarning } from "../config/read-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { About } from "../core/about.ts";
import type { ToolEvent } from "../core/events.ts";
import type { Log } from "../core/log.ts";
import type { Problem } from "../core/problem.ts";
import type { RenderView } from "../core/render.ts";
import type { Content } from "../core/result.ts";
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
   * `onChange` tells; until then they are a problem. By default each is waited for, as long as `limits.importMs` lets it.
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

/** What is shown to a model: the tools of one session, where one is named. */
export interface View {
  readonly sessionID?: string;
  /** Only what the model of this agent is to be shown: tools that are enabled and of which the rules do not deny it everything. */
  readonly agent?: string;
}

/** A picture or a file of a result. */
export type Attachment = Exclude<Content, { type: "text" }>;

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

/** The whole product, as a surface sees it. */
export interface Toolbox extends AsyncDisposable {
  readonly directory: string;
  readonly project: { readonly root: string; readonly trusted: boolean };
  readonly homes: Homes;
  readonly settings: Settings;
  /**
   * What waits until the files have been read for the first time, or for as long as `waitMs` says; undefined once that is
   * over. With a name it waits only until that tool is there, and for files that take longer only if the name of one says
   * that it may bring the tool. Never rejects.
   */
  ready(name?: string): Promise<void> | undefined;
  /** Sorted by name; disabled tools included, marked so. `resolve` is among them while a preview waits for it. */
  list(view?: View): readonly ToolInfo[];
  /** What the model of an agent is shown: tools that are enabled and of which the rules do not deny it everything. */
  enabled(agent?: string, sessionID?: string): readonly ToolInfo[];
  /** Of these, the tools for a provider, `anthropic`, or for a model of one, `openai/gpt-5`. */
  tools(provider: string, agent?: string, sessionID?: string): readonly ToolInfo[];
  /** Every file that was looked at, in the order of priority. */
  files(): readonly FileInfo[];
  get(name: string): ToolInfo | undefined;
  /**
   * The same, but files that are still being imported are waited for as `ready` does, and one that failed when it was last
   * looked at, and may hold the tool, is tried once more first.
   */
  find(name: string): Promise<ToolInfo | undefined>;
  has(name: string): boolean;
  readonly count: number;
  /** The files, and MCP servers, that are still being read: their tools are missing. */
  loading(): readonly string[];
  /** A broken file is a line here, not a crash. */
  problems(): readonly Problem[];
  shadowed(): readonly Shadowed[];
  /** What waits for the project to be trusted. */
  blocked(): readonly Blocked[];
  warnings(): readonly SettingsWarning[];
  call(request: CallRequest): Run;
  /** What would be decided on a call, thing by thing, and why. The call is not made, and nobody is asked. Never rejects. */
  explain(request: CallRequest): Promise<Explained>;
  /** Looks at the disk again: new, changed and removed files, and those that failed before. Never rejects. */
  reload(): Promise<Report>;
  /** Loads every file, whatever the cache says, and checks every schema. */
  verify(): Promise<Report>;
  /**
   * Reloads, remembers what this session is shown (a name will not come to mean another tool within it), and tells the
   * files that follow sessions.
   */
  startSession(sessionID: string, session?: SessionStart): Promise<Report>;
  /** Tells the files that follow sessions what happens in one. Never rejects. */
  tellSession(sessionID: string, event: SessionEvent, session?: Omit<SessionSnapshot, "id">): Promise<void>;
  /** What tool files do to sessions: messages to send, entries to keep, a wish to stop. */
  onSessionAction(listener: (sessionID: string, action: SessionAction) => void): () => void;
  /** Turns `hasUI` on for tool files, and their dialogs and notifications into calls of it; undefined turns it off. */
  setUIContext(ui: UIContext | undefined): void;
  /** The lines that a tool's author draws for a call or a result; undefined where plain text is to be shown. */
  render(request: DrawRequest): Promise<readonly string[] | undefined>;
  /** For a surface that cannot carry a picture or a file of a result: a line that says what it is and where. */
  attachmentLine(part: Attachment, call: { readonly sessionID: string; readonly callID: string }): Promise<string>;
  /** Reloads whenever something is saved. Answers with a function that stops it. */
  watch(): Promise<() => Promise<void>>;
  onChange(listener: () => void): () => void;
  onEvent(listener: (event: ToolEvent) => void): () => void;
  /** What tools print. */
  onLog(listener: Log): () => void;
  /** The processes that tools run in, by kind: how many there are and were. */
  hosts(): readonly HostCount[];
  close(): Promise<void>;
}
