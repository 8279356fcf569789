/** A schema that cannot be used. The message tells the author which field is wrong, and what to write instead. */
export class SchemaProblem extends Error {
  override readonly name: string = "SchemaProblem";
  /** The field at fault; absent when it is the schema as a whole. */
  readonly field?: string;

  constructor(message: string, options: { field?: string; cause?: unknown } = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    if (options.field !== undefined) this.field = options.field;
  }
}
