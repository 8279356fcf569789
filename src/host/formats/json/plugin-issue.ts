/** A mistake in a JSON file of tools. The message says what to write instead. */
export interface PluginIssue {
  readonly code: "bad_name" | "bad_schema" | "bad_definition";
  /** The JSON path, from the tool or from the root of the file. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Thrown while a handler is created. */
export class PluginProblem extends Error {
  override readonly name: string = "PluginProblem";
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** Describes a value of a JSON file, for a sentence such as "name is …". */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const json = JSON.stringify(value);
  return json.length > 60 ? `a ${typeof value}` : json;
}
