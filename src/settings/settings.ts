import type { Limits } from "../core/tool.ts";
import type { GlobalLimits, Isolation, Runtime } from "./defaults.ts";
import type { Mode, Rule } from "./permissions/rule.ts";
import type { AgentSettings, ClientChoice, Hook, SubAgentSettings } from "./settings-file.ts";

/** A path, and the flag or settings file that names it, for messages about a missing path. */
export interface ConfiguredPath {
  readonly path: string;
  /** The flag, or the setting and its file. It follows "named by" in messages. */
  readonly from: string;
}

/** A hook, and its settings file, for messages. */
export interface ConfiguredHook extends Hook {
  readonly from: string;
}

type Defaulted = "programs" | "idleMs" | "maxTaskTokens" | "maxTurns";

/** The settings of the user and the project combined, with defaults. */
export interface Settings {
  readonly tools: {
    readonly paths: readonly ConfiguredPath[];
    readonly disabled: readonly string[];
    /** The part of `disabled` that is in the user's file: a project cannot switch off hooks of the user. */
    readonly disabledByUser: readonly string[];
    readonly override: readonly string[];
    readonly pinned: readonly string[];
  };
  readonly limits: GlobalLimits;
  /** An object without prototype: a tool may be called `constructor`. */
  readonly toolLimits: Readonly<Record<string, Limits>>;
  readonly runtime: Runtime;
  readonly isolation: Isolation;
  /** Separate, like the rules: the project's may only restrict the user's. */
  readonly mode: { readonly user: Mode; readonly project?: Mode };
  readonly permissions: { readonly user: readonly Rule[]; readonly project: readonly Rule[] };
  /** In the order in which they run: the user's hooks enclose the project's. */
  readonly hooks: {
    readonly before: readonly ConfiguredHook[];
    readonly after: readonly ConfiguredHook[];
    /** Only the user's: files whose hooks calls may do without. */
    readonly optional: readonly string[];
  };
  readonly mcp: { readonly import: boolean | readonly string[] };
  /** By the name of the client, or a wildcard. Of several that match, the last overrides the others. */
  readonly clients: readonly (readonly [client: string, choice: ClientChoice])[];
  /** Only the user's. The folder and the programs are absolute paths, or names on PATH. */
  readonly agents: Omit<AgentSettings, Defaulted> & Required<Pick<AgentSettings, Defaulted>>;
  /** Only the user's, by name. An object without prototype. */
  readonly subagents: Readonly<Record<string, SubAgentSettings>>;
  readonly secrets: readonly string[];
  readonly search: { readonly threshold?: number };
  readonly trust: { readonly parents: readonly string[] };
  readonly outputs: { readonly keepDays: number; readonly maxMb: number };
  readonly sessions: { readonly keepDays: number; readonly maxMb: number };
}
