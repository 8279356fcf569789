/** A JSON Schema document, 2020-12. Keywords are not narrowed: clients receive them verbatim. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** One reason why an input, or an output, was refused. `path` is a JSON Pointer; "" is the whole of it. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** What a schema says of a value: the parsed value (defaults and coercions applied), or every issue it found. */
export type Checked<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** What a schema of any dialect becomes, once, at load time. Nothing past formats/ knows which library wrote it. */
export interface Schema<T = unknown> {
  /** That of an input always describes an object. */
  readonly json: JsonSchema;
  /** Must not throw for a bad value; may throw when the schema itself cannot be compiled. */
  check(value: unknown): Checked<T> | Promise<Checked<T>>;
  /**
   * Does now what the first check would otherwise do; undefined when that is done. Runs no code of the author. May reject
   * as `check` may throw.
   */
  warmUp?(): Promise<unknown> | undefined;
}
