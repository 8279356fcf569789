/** A schema that cannot be used. The message names the invalid field and says what to write instead. */
export class SchemaProblem extends Error {
  override readonly name: string = "SchemaProblem";
  /** The invalid field; absent if the whole schema is invalid. */
  readonly field?: string;

  constructor(message: string, options: { field?: string; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    if (options.field !== undefined) this.field = options.field;
  }
}
