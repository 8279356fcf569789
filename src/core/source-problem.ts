/** A file that cannot be parsed. Thrown by the loader's hooks, turned into a `Problem` by whoever loads. */
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

/** A file that needs the Bun runtime, seen at import. */
export class NeedsBun extends Error {
  override readonly name: string = "NeedsBun";
}

/** What follows the words for a use of Bun, where no Bun was found. */
export const BUN_NOT_INSTALLED: string =
  'It needs the Bun runtime, which is not installed: install Bun (https://bun.sh) and make sure that "bun" is on PATH.';

/**
 * Marks the error of an import that leads nowhere. Its value is whether the paths that are noted as dependencies decide
 * alone when the import will lead somewhere. The error stays the runtime's own: authors catch it by its code.
 */
export const UNRESOLVED: unique symbol = Symbol("unresolved");
