/** A command line, or a program and its arguments, and the folder in which it is started. */
export interface StartedCommand {
  readonly words: string | readonly string[];
  readonly folder: string;
}

/** Code that the toolbox runs without asking. */
export interface CodeSources {
  /** Folders that are searched for tool files, also empty ones. */
  readonly folders: readonly string[];
  /** Tool files, what they import, and the configurations that lead to them. */
  readonly files: readonly string[];
  /** Tool files that have not been loaded, or are broken. Their imports are read from their texts. */
  readonly unread: readonly string[];
  /** Tool files with code. What their texts name by a relative path may be imported by a later call. */
  readonly loaded: readonly string[];
  /** Tool files without code (JSON), which hold the commands that they start. */
  readonly declared: readonly string[];
  /** Commands of hooks and of MCP servers. */
  readonly commands: readonly StartedCommand[];
}
