/** What is wrong with one part of a JSON file of tools, and what to write instead. */
export interface PluginIssue {
  readonly code: "bad_name" | "bad_schema" | "bad_definition";
  /** From the tool, or from the file's root, to the part at fault. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Thrown while a handler is put together. */
export class PluginProblem extends Error {
  override readonly name: string = "PluginProblem";
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** What a value of a JSON file is, for a sentence that begins with its name and "is". */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const json = JSON.stringify(value);
  return json.length > 60 ? `a ${typeof value}` : json;
}
