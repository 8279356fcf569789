/** A file that cannot be parsed. Thrown by the module hooks of the loader, and reported as a `Problem`. */
export class SourceProblem extends Error {
  override readonly name: string = "SourceProblem";
  readonly file: string;
  readonly line: number | undefined;

  constructor(file: string, line: number | undefined, message: string) {
    super(message);
    this.file = file;
    this.line = line;
  }
}

/** A file that needs the Bun runtime, detected when it is imported. */
export class NeedsBun extends Error {
  override readonly name: string = "NeedsBun";
}

/** The second sentence of the problem if Bun is not installed. The first names the use of Bun. */
export const BUN_NOT_INSTALLED: string =
  'It needs the Bun runtime, which is not installed: install Bun (https://bun.sh) and make sure that "bun" is on PATH.';

/**
 * Marks the error of an import that cannot be resolved. The value is true if the import can become resolvable only
 * by a change at a path that is recorded as a dependency. The error is still that of the runtime: authors catch it by its code.
 */
export const UNRESOLVED: unique symbol = Symbol("unresolved");
