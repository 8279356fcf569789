/** A JSON Schema 2020-12 document. Clients receive it verbatim. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** One mistake in a value. `path` is a JSON Pointer; "" is the whole value. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The outcome of a check: the parsed value, with defaults and coercions applied, or all issues. */
export type Checked<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A schema of any library, converted at load time. */
export interface Schema<T = unknown> {
  /** The JSON Schema of an input always describes an object. */
  readonly json: JsonSchema;
  /** Must not throw for an invalid value. May throw if the schema cannot be compiled. */
  check(value: unknown): Checked<T> | Promise<Checked<T>>;
  /** Compiles the schema before the first check. Undefined if it is compiled. Runs no code of the author. May reject. */
  warmUp?(): Promise<unknown> | undefined;
}
