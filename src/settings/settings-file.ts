import type { Keep, Limits } from "../core/tool.ts";
import type { GlobalLimits, Isolation, Runtime } from "./defaults.ts";
import type { Mode, Rule } from "./permissions/rule.ts";

/** A command that runs before or after the calls of some tools. */
export interface Hook {
  /** Name or wildcard. */
  readonly tool: string;
  /** A shell command, or a program and its arguments. */
  readonly command: string | readonly string[];
  readonly timeoutMs?: number;
}

/** The limits of single tools, by name. A key that not every tool has is a limit of the tool itself. */
export type FileToolLimits = Readonly<
  Record<string, Omit<Limits, "own"> & { readonly [own: string]: number | Keep | undefined }>
>;

/** The tools for one MCP client. Names may have wildcards. */
export interface ClientChoice {
  readonly tools?: readonly string[];
  readonly exclude?: readonly string[];
  readonly readOnly?: boolean;
  readonly builtins?: boolean | readonly string[];
}

/** How agents are found and run. Paths are absolute or from `~`. */
export interface AgentSettings {
  readonly default?: string;
  readonly modules?: string;
  readonly programs?: Readonly<Record<string, readonly string[]>>;
  readonly idleMs?: number;
  readonly maxTaskTokens?: number;
  readonly maxTurns?: number;
}

/** A kind of sub-agent that the tool `task` can delegate to. */
export interface SubAgentSettings {
  readonly agent: string;
  readonly description: string;
  readonly model?: string;
  readonly prompt?: string;
  /** The only tools that it gets. Names may have wildcards. */
  readonly tools?: readonly string[];
}

/** One valid settings file. Every key is optional. */
export interface SettingsFile {
  readonly tools?: {
    readonly paths?: readonly string[];
    readonly disabled?: readonly string[];
    readonly override?: readonly string[];
    readonly pinned?: readonly string[];
  };
  readonly limits?: Partial<GlobalLimits>;
  readonly toolLimits?: FileToolLimits;
  readonly runtime?: Runtime;
  readonly isolation?: Isolation;
  readonly mode?: Mode;
  readonly permissions?: readonly Rule[];
  readonly hooks?: {
    readonly before?: readonly Hook[];
    readonly after?: readonly Hook[];
    readonly optional?: readonly string[];
  };
  readonly mcp?: { readonly import?: boolean | readonly string[] };
  readonly clients?: Readonly<Record<string, ClientChoice>>;
  readonly agents?: AgentSettings;
  readonly subagents?: Readonly<Record<string, SubAgentSettings>>;
  readonly secrets?: readonly string[];
  readonly search?: { readonly threshold?: number };
  readonly trust?: { readonly parents?: readonly string[] };
  readonly outputs?: { readonly keepDays?: number; readonly maxMb?: number };
  readonly sessions?: { readonly keepDays?: number; readonly maxMb?: number };
}
