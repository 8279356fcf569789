import type { Environment, GlobalLimits, Homes, Isolation } from "./config/options.ts";
import type { SettingsWarning } from "./config/read-settings.ts";
import type { Settings } from "./config/settings.ts";
import type { ToolEvent } from "./core/events.ts";
import type { Problem } from "./core/problem.ts";
import type { Blocked } from "./discovery/discover.ts";
import type { McpServerConfig } from "./mcp-server-config.ts";
import type { CallRequest, Run } from "./pipeline/call.ts";
import type { Approver } from "./pipeline/permit.ts";
import type { Shadowed, ToolInfo } from "./registry/entry.ts";

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
  readonly isolation?: Isolation;
  readonly limits?: Partial<GlobalLimits>;
}

/** What a reload found. */
export interface Report {
  readonly tools: number;
  readonly problems: readonly Problem[];
}

/** The whole product, as a surface sees it. */
export interface Toolbox extends AsyncDisposable {
  readonly directory: string;
  readonly project: { readonly root: string; readonly trusted: boolean };
  readonly homes: Homes;
  readonly settings: Settings;
  /** Sorted by name; disabled tools included, marked so. */
  list(): readonly ToolInfo[];
  get(name: string): ToolInfo | undefined;
  /** The same, but a file that failed when it was last looked at, and may hold the tool, is tried once more first. */
  find(name: string): Promise<ToolInfo | undefined>;
  has(name: string): boolean;
  readonly count: number;
  /** A broken file is a line here, not a crash. */
  problems(): readonly Problem[];
  shadowed(): readonly Shadowed[];
  /** What waits for the project to be trusted. */
  blocked(): readonly Blocked[];
  warnings(): readonly SettingsWarning[];
  call(request: CallRequest): Run;
  /** Looks at the disk again: new, changed and removed files, and those that failed before. Never rejects. */
  reload(): Promise<Report>;
  /** Loads every file, whatever the cache says, and checks every schema. */
  verify(): Promise<Report>;
  /** Reloads, and remembers what this session is shown: a name will not come to mean another tool within it. */
  startSession(sessionID: string): Promise<Report>;
  /** Reloads whenever something is saved. Answers with a function that stops it. */
  watch(): Promise<() => Promise<void>>;
  /** The enabled tools as an MCP server that lives in this process, for agents that take one. */
  toMcpServerConfig(): McpServerConfig;
  /** Their names as such an agent writes them: `mcp__toolwright__<name>`. */
  allowedToolNames(): readonly string[];
  onChange(listener: () => void): () => void;
  onEvent(listener: (event: ToolEvent) => void): () => void;
  /** What tools print. */
  onLog(listener: (text: string) => void): () => void;
  close(): Promise<void>;
}
