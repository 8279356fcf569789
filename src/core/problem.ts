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

/** Loading reports problems and never throws. `message` says what to do next. */
export interface Problem {
  readonly file: string;
  readonly line?: number;
  /** Only with a line. */
  readonly column?: number;
  readonly code: ProblemCode;
  readonly message: string;
  /** The affected tool, if the problem is not of the whole file. */
  readonly tool?: string;
  /** The lines of the source around a syntax error, see `codeFrame`. May be those of an imported file. */
  readonly frame?: string;
}
