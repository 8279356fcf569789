/** Why the text of a config file cannot be read or changed. The message follows the name of the file. */
export class ConfigProblem extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
