/** Why a file, or one tool in it, is not served. */
export type ProblemCode =
  | "unreadable"
  | "syntax"
  | "import_failed"
  | "import_timeout"
  | "needs_bun"
  | "not_a_tool"
  | "bad_name"
  | "bad_schema"
  | "bad_definition"
  | "name_taken"
  | "init_failed"
  | "plugin_failed";

/** A broken file is one of these, never an exception. `message` says what to do next. */
export interface Problem {
  readonly file: string;
  readonly line?: number;
  readonly code: ProblemCode;
  readonly message: string;
  /** The tool concerned, where the file holds others that work. */
  readonly tool?: string;
}
