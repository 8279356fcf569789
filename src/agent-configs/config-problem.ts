/** Why the text of a configuration cannot be read, or not changed safely. Ends a sentence that begins with its file. */
export class ConfigProblem extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
