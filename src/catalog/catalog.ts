import type { FormatInfo } from "../core/format-info.ts";
import type { Problem } from "../core/problem.ts";
import type { HostCount } from "../host/protocol/hosts.ts";
import type { Homes } from "../settings/defaults.ts";
import type { SettingsWarning } from "../settings/read-settings.ts";
import type { ConfiguredPath, Settings } from "../settings/settings.ts";
import type { Builtins } from "./builtin-selection.ts";
import type { Blocked } from "./discovery/tool-file.ts";
import type { Shadowed } from "./registry/registry-entry.ts";

/** What a catalog serves, and how long it waits for tool files. */
export interface CatalogOptions {
  /** Which built-in tools are served: all (the default unless `onlyGiven`), none, or those that match a pattern. */
  readonly builtins?: Builtins;
  /** Serves only what `tools`, `toolsPaths` and `builtins` select. Other places are not searched. */
  readonly onlyGiven?: boolean;
  /**
   * How long to wait for tool files. Slower files are problems until they are read, and the event "change" reports them.
   * By default every file is awaited, up to `limits.importMs`.
   */
  readonly waitMs?: number;
  /** Also waits, up to `waitMs`, for files whose import an earlier process did not see end. */
  readonly waitForUnfinished?: boolean;
  /** Imports only these files, and those in these folders. Other files are served from the cache if they are in it. */
  readonly onlyFiles?: readonly string[];
}

/** A path with tools that a caller names. For a plain text, messages name the option `toolsPaths`. */
export type GivenPath = string | ConfiguredPath;

/** Tools that a program passes as values (place "code"): a list of tools that have names, or an object that names each. */
export type CodeTools = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A tool file: its tools and its recognised format. */
export interface FileInfo {
  readonly file: string;
  readonly tools: readonly string[];
  readonly about?: FormatInfo;
  readonly runtime?: "bun";
}

/** The outcome of a reload. */
export interface Report {
  readonly tools: number;
  readonly problems: readonly Problem[];
}

/** The project of a toolbox, as it was last read. */
export interface ProjectInfo {
  /** The directory that the toolbox was opened for. */
  readonly directory: string;
  readonly root: string;
  readonly trusted: boolean;
  readonly homes: Homes;
  readonly settings: Settings;
  /** The keys of the project's settings that are ignored because it is not trusted. */
  readonly ignored: readonly string[];
}

/** The state of a toolbox. Each property is computed when it is read. */
export interface ToolboxStatus {
  /** The folders that are searched for tool files, also those that do not exist. */
  readonly folders: readonly string[];
  /** Every tool file that was found, highest priority first. */
  readonly files: readonly FileInfo[];
  /** Files and MCP servers that are still being read. Their tools are missing from lists. */
  readonly loading: readonly string[];
  /** Tools whose name is taken by a tool of higher priority. */
  readonly shadowed: readonly Shadowed[];
  /** Files that are not loaded because the project is not trusted. */
  readonly blocked: readonly Blocked[];
  readonly warnings: readonly SettingsWarning[];
  readonly hosts: readonly HostCount[];
}
